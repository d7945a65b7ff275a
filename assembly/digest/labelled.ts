// Labelled messages and their digests (chapter 1): each message begins with its own label and a line feed, so that no two uses can be confused.

import { Buffer, Text } from "../memory/buffer";
import { allocate } from "../memory/region";
import { writeBase64url } from "./base64url";
import { SHA256_LENGTH, sha256 } from "./sha256";

/** Letters of a digest in base64url. */
export const DIGEST_LETTERS: i32 = 43;

/** The base64url digest of a message, as a text in the current region. */
export function digestText(message: Buffer): Text {
  const raw = allocate(SHA256_LENGTH);
  sha256(message.start, message.length, raw);
  return encoded(raw);
}

/** A raw digest of 32 bytes in base64url. */
export function encoded(raw: usize): Text {
  const out = new Buffer(DIGEST_LETTERS + 1);
  writeBase64url(raw, SHA256_LENGTH, out);
  return out.view();
}

/** A message that begins with a label and a line feed. */
export function labelled(label: string, capacity: i32): Buffer {
  const message = new Buffer(capacity + label.length + 1);
  message.ascii(label);
  message.byte(0x0a);
  return message;
}
