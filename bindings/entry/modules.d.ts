// The types of what the build puts in place of two imports: the module's bytes, and the module.

declare module "interlock:core-base64" {
  const text: string;
  export default text;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
