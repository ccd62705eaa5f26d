"""A Dask cluster of so many processes, for `test_dask_pool.py`: it prints its address, and ends with its input."""

import sys

import dask
from distributed import LocalCluster

if __name__ == "__main__":
    dask.config.set({"distributed.scheduler.allowed-failures": 1})  # a chunk may lose one worker, not two
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
