// Drives the built module for the benchmarks: text in, text out, through its boundary alone.

import { readFileSync } from "node:fs";

/** The module's bytes. */
export const coreBytes = (path = new URL("../dist/core.wasm", import.meta.url)) => readFileSync(path);

export class Core {
  #exports;
  #bytes;
  #policy = 0;
  #keys = 0;

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module).exports;
    this.#bytes = Buffer.from(this.#exports.memory.buffer);
  }

  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  #view() {
    if (this.#bytes.byteLength === 0) this.#bytes = Buffer.from(this.#exports.memory.buffer);
    return this.#bytes;
  }

  /** Puts a text (a string, or UTF-8 bytes) in place. */
  #length = 0;
  #place(text) {
    if (typeof text !== "string") {
      const at = this.#exports.alloc(text.length);
      this.#view().set(text, at);
      this.#length = text.length;
      return at;
    }
    // A code unit takes three bytes at the most.
    const at = this.#exports.alloc(text.length * 3);
    this.#length = this.#view().utf8Write(text, at, text.length * 3);
    return at;
  }

  #result() {
    const at = this.#exports.result();
    return this.#view().utf8Slice(at, at + this.#exports.resultLength());
  }

  #ask(operation, ...handles) {
    const text = handles.pop();
    const at = this.#place(text);
    const status = this.#exports[operation](...handles, at, this.#length);
    const answer = this.#result();
    if (status !== 0) throw new Error(`${operation}: ${answer.slice(0, 500)}`);
    return answer;
  }

  load(policy, keys) {
    this.#policy = JSON.parse(this.#ask("register", JSON.stringify({ policy }))).handle;
    this.#keys = JSON.parse(this.#ask("keys", JSON.stringify(keys))).handle;
    return this;
  }

  check(text) {
    const at = this.#place(text);
    if (this.#exports.check(this.#policy, this.#keys, at, this.#length) !== 0) throw new Error(this.#result());
    return this.#result();
  }

  open(document) {
    return JSON.parse(this.#ask("open", this.#policy, this.#keys, JSON.stringify(document))).handle;
  }

  checkSession(session, text) {
    const at = this.#place(text);
    if (this.#exports.checkSession(session, at, this.#length) !== 0) throw new Error(this.#result());
    return this.#result();
  }

  reportSession(session, text) {
    return this.#ask("reportSession", session, text);
  }

  verify(document) {
    return this.#ask("verify", this.#policy, this.#keys, document);
  }

  close(session) {
    this.#exports.close(session);
  }
}
