# How workerd serves the bundled worker: its module, and the core as a compiled module beside it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.bundle.js"),
    (name = "core.wasm", wasm = embed "core.wasm"),
  ],
  compatibilityDate = "2026-11-01",
);
