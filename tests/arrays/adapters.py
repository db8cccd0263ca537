"""The libraries whose arrays are tried: how an array is made, read, and seen to be computed."""

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from uuid import uuid4

import numpy as np

TOOL = Path(__file__).parents[2] / "tools" / "other_arrays.py"


def load_tool():
    """Return tools/other_arrays.py as a module."""
    spec = spec_from_file_location("other_arrays", TOOL)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Adapter:
    """One column of docs/other-arrays.md."""

    needs: tuple[str, ...] = ()
    """The packages that must be installed."""

    def __init__(self):
        self.computed = 0
        """How often elements were computed or read from a store."""

    @classmethod
    def installed(cls):
        return all(find_spec(name) is not None for name in cls.needs)

    def make(self, x):
        """Return NumPy's array as one of the library."""
        raise NotImplementedError

    def plain(self, x):
        """Return an array of the library as NumPy's."""
        return np.asarray(x)

    def is_lazy(self, x):
        return False


class Dask(Adapter):
    needs = ("dask",)

    def make(self, x):
        import dask.array as da

        def counted(block):
            self.computed += 1
            return block

        return da.map_blocks(
            counted, da.from_array(x.copy(), chunks=3), dtype=x.dtype, meta=np.empty((0,) * x.ndim, x.dtype)
        )

    def plain(self, x):
        return x.compute(scheduler="synchronous")

    def is_lazy(self, x):
        import dask.array as da

        return isinstance(x, da.Array)


class Cubed(Adapter):
    needs = ("cubed",)

    def make(self, x):
        import cubed
        import cubed.array_api as xp

        adapter = self

        class Counting(np.ndarray):
            def __getitem__(self, key):
                adapter.computed += 1
                return np.asarray(self)[key]

        spec = cubed.Spec(allowed_mem="100MB", executor_name="single-threaded")
        return xp.asarray(x.copy().view(Counting), chunks=3, spec=spec)

    def plain(self, x):
        return x.compute()

    def is_lazy(self, x):
        import cubed

        return isinstance(x, cubed.Array)


class Zarr(Adapter):
    needs = ("zarr",)

    def make(self, x):
        import zarr

        adapter = self

        class Counting(zarr.storage.MemoryStore):
            async def get(self, key, *arguments, **keywords):
                adapter.computed += "/c" in f"/{key}"
                return await super().get(key, *arguments, **keywords)

        stored = zarr.create_array(
            Counting(), shape=x.shape, chunks=tuple(min(3, dim) for dim in x.shape), dtype=x.dtype
        )
        stored[...] = x
        self.computed = 0
        return stored

    def plain(self, x):
        return np.asarray(x[...])


class Hdf5(Adapter):
    needs = ("h5py",)

    def make(self, x):
        import h5py

        class Counting(h5py.Dataset):
            def __getitem__(counting, *arguments, **keywords):
                found = super().__getitem__(*arguments, **keywords)
                self.computed += np.size(found)
                return found

            def __array__(counting, *arguments, **keywords):
                raise AssertionError("read as a whole")

        stored = h5py.File(uuid4().hex, "w", driver="core", backing_store=False).create_dataset("x", data=x)
        return Counting(stored.id)

    def plain(self, x):
        return np.asarray(x[...])


class Xarray(Adapter):
    needs = ("xarray",)

    def make(self, x):
        import xarray

        names = [f"axis{k}" for k in range(x.ndim)]
        coordinates = {name: 10 * np.arange(dim) for name, dim in zip(names, x.shape, strict=True)}
        return xarray.DataArray(x.copy(), coordinates, names, name="height")


class XarrayOfDask(Xarray):
    needs = ("xarray", "dask")

    def make(self, x):
        dask = Dask()
        array = super().make(x).copy(data=dask.make(x))
        self.dask = dask
        return array

    def plain(self, x):
        return np.asarray(x.compute(scheduler="synchronous"))

    def is_lazy(self, x):
        return Dask().is_lazy(x.data) and self.dask.computed == 0


class Torch(Adapter):
    needs = ("torch",)
    keywords = {"device": "cpu"}

    def make(self, x):
        import torch

        return torch.tensor(x, **self.keywords)

    def plain(self, x):
        return x.detach().numpy()


class TorchGradient(Torch):
    def make(self, x):
        made = super().make(x)
        return made.requires_grad_() * 1 if x.dtype == float else made


class TorchElsewhere(Torch):
    """A device that every machine has: one without data. Shapes alone are compared."""

    keywords = {"device": "meta"}

    def plain(self, x):
        return None


class Jax(Adapter):
    needs = ("jax",)

    def make(self, x):
        import jax.numpy as jnp

        return jnp.asarray(x, np.float32 if x.dtype == float else None)


class ArrayApiStrict(Adapter):
    needs = ("array_api_strict",)

    def make(self, x):
        import array_api_strict

        return array_api_strict.asarray(x, copy=True)

    def plain(self, x):
        return np.from_dlpack(x)


ADAPTERS = {
    "dask": Dask,
    "cubed": Cubed,
    "zarr": Zarr,
    "h5py": Hdf5,
    "xarray": Xarray,
    "xarray of dask": XarrayOfDask,
    "torch": Torch,
    "torch, gradient": TorchGradient,
    "torch, other device": TorchElsewhere,
    "JAX": Jax,
    "array-api-strict": ArrayApiStrict,
}
