"""kifu in a browser: the engine as JavaScript calls it, and the folder of pages that `replay site` writes.

`engine.py` and what it imports run inside Pyodide, which is CPython as WebAssembly; they need the extra `web` alone.
`site.py` and what it imports run here, and write files. `package/` is the npm package, `page/` the site's own pages.
"""
