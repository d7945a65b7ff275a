// The types of what the build puts in place of two imports: style sheets, and the core's bytes.

declare module '*.css';

declare module 'interlock:core-bytes' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
