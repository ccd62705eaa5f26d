/** The script of the worker that `load({ worker: true })` starts. It exports nothing; an address of it is what you need. */
export {};
