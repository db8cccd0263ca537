"""Zarr arrays at URLs, by fsspec and obstore: in memory, and on a server that counts what it sends."""

import http.server
import os
import threading

import fsspec
import numpy as np
import obstore.fsspec
import pytest
import zarr
from obstore.store import HTTPStore, MemoryStore
from zarr.storage import ObjectStore

import ssop
from arrays.runs import ran, rejected
from ssop.cli import inputs, zarr_stores

SHAPE, CHUNKS = (23, 17), (5, 4)
X = np.arange(23 * 17, dtype="i4").reshape(SHAPE)
INDICES = ["...", "20:3:-4, 5", "7:9, 4:8", "None, 3::9, ::-16"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    system.rm("/", recursive=True) if system.find("/") else None
    return system


def stored(path, **options):
    zarr.create_array(path, shape=SHAPE, dtype="i4", **{"chunks": CHUNKS} | options)[...] = X


def taken(index):
    return X[eval(f"np.s_[{index}]")]


@pytest.mark.parametrize("index", INDICES)
def test_from_memory_to_memory(folder, memory, index):
    stored("memory://in.zarr")
    ran("memory://in.zarr", "--index", index, "-o", "memory://sub/out")
    assert np.array_equal(zarr.open_array("memory://sub/out", mode="r")[...], taken(index))
    assert os.listdir() == []


def test_obstore_in_memory(folder, obstores):
    stored("memory:///in.zarr")
    ran("memory:///in.zarr", "--index", "20:3:-4, 5", "-o", "memory:///sub/out.zarr")
    assert np.array_equal(zarr.open_array("memory:///sub/out.zarr", mode="r")[...], X[20:3:-4, 5])


def test_a_store_of_obstore_is_sliced_and_assigned_to():
    x = zarr.create_array(ObjectStore(MemoryStore()), shape=SHAPE, dtype="i4", chunks=CHUNKS)
    x[...] = X
    ssop.index_assign(x, np.s_[::2, ::-3], X[::2, ::3] * 2)
    wanted = X.copy()
    wanted[::2, ::-3] = X[::2, ::3] * 2
    assert np.array_equal(x[...], wanted)
    assert np.array_equal(ssop.index(x, np.s_[20:3:-4, ::3]), wanted[20:3:-4, ::3])


@pytest.mark.parametrize("meanwhile", [False, True])
def test_nothing_is_replaced_at_a_url(folder, memory, capsys, monkeypatch, meanwhile):
    """Neither what was there before the run nor what another process makes before it writes."""
    stored("memory://in.zarr")
    if meanwhile:
        monkeypatch.setattr(zarr_stores, "is_there", lambda url: False)
    before = {path: memory.cat(path) for path in memory.find("/")}
    assert "nothing is replaced at a URL" in rejected(
        capsys, "memory://in.zarr", "--index", "0", "-o", "memory://in.zarr"
    )
    assert {path: memory.cat(path) for path in memory.find("/")} == before


def test_an_output_that_fails_is_removed(folder, memory, capsys, monkeypatch):
    stored("memory://in.zarr")
    before = memory.find("/")

    def broken(*arguments):
        raise ValueError("cannot be read")

    monkeypatch.setattr(inputs.Source, "read", broken)
    assert "cannot be read" in rejected(capsys, "memory://in.zarr", "--index", "...", "-o", "memory://out.zarr")
    assert memory.find("/") == before


def test_urls_that_hold_nothing(folder, memory, capsys):
    assert "no zarr array that can be read" in rejected(capsys, "memory://none.zarr", "--index", "0")
    assert "ssop: error: " in rejected(capsys, "nosuch://x.zarr", "--index", "0")
    np.save("x.npy", X)
    assert "ssop: error: " in rejected(capsys, "x.npy", "--index", "0", "-o", "nosuch://x.zarr")


class Server(http.server.ThreadingHTTPServer):
    """Sends files, or ranges of them, and notes which."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.sent = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self._answer(send=False)

    def do_GET(self):
        self._answer(send=True)

    def _answer(self, *, send):
        path = "." + self.path
        if not os.path.isfile(path):
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with open(path, "rb") as file:
            data = file.read()
        unit, _, wanted = self.headers.get("Range", "").partition("=")
        if unit == "bytes" and send:
            first, _, last = wanted.partition("-")
            start = int(first) if first else len(data) - int(last)
            stop = min(len(data), int(last) + 1) if first and last else len(data)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{len(data)}")
            data = data[start:stop]
        else:
            self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if send:
            self.server.sent.append((self.path, len(data)))
            self.wfile.write(data)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(folder):
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def obstores(monkeypatch):
    """fsspec opens these URLs by obstore."""
    own = {protocol: fsspec.get_filesystem_class(protocol) for protocol in ("memory", "http")}
    obstore.fsspec.register(list(own))
    monkeypatch.setitem(fsspec.config.conf, "http", {"client_options": {"allow_http": True}})
    yield
    for protocol, kind in own.items():
        fsspec.register_implementation(protocol, kind, clobber=True)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("way", ["fsspec", "obstore", "a store of obstore"])
def test_a_server_sends_the_chunks_with_elements_alone(server, request, index, way):
    stored("in.zarr", compressors=None)
    url = f"http://127.0.0.1:{server.server_port}/in.zarr"
    if way == "a store of obstore":
        store = ObjectStore(HTTPStore.from_url(url, client_options={"allow_http": True}), read_only=True)
        found = ssop.index(zarr.open_array(store, mode="r"), eval(f"np.s_[{index}]"))
    else:
        if way == "obstore":
            request.getfixturevalue("obstores")
        ran(url, "--index", index, "-o", "out.npy")
        found = np.load("out.npy")
    assert np.array_equal(found, taken(index))
    region = ssop.StridedSliceSpec.from_index(eval(f"np.s_[{index}]")).resolve(SHAPE)
    wanted = {f"/in.zarr/c/{row}/{column}" for (row, column), _, _ in region.chunks(CHUNKS)}
    chunks = [(path, size) for path, size in server.sent if "/c/" in path]
    assert {path for path, _ in chunks} == wanted
    assert sum(size for _, size in chunks) == len(wanted) * 5 * 4 * 4


def test_of_a_shard_ranges_are_sent(server):
    stored("in.zarr", compressors=None, shards=(10, 8))
    ran(f"http://127.0.0.1:{server.server_port}/in.zarr", "--index", "3, 2", "-o", "out.npy")
    assert np.load("out.npy") == X[3, 2]
    index_bytes = 16 * 4 + 4  # where the four chunks of a shard are, and a checksum
    assert [size for path, size in server.sent if "/c/" in path] == [index_bytes, 5 * 4 * 4]
