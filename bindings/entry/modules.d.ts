// The types of what the build puts in place of two imports: the module's bytes, and the module.

declare module "interlock:core-bytes" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
