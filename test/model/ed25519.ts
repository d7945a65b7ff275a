// Ed25519 with the strict checks of chapter 1, by plain affine arithmetic on big integers.
import { createHash, createPrivateKey, createPublicKey, sign as nodeSign, type KeyObject } from "node:crypto";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (a: bigint, m = P) => ((a % m) + m) % m;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let b = mod(base);
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % P;
    b = (b * b) % P;
  }
  return result;
}
const inverse = (a: bigint) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const I = power(2n, (P - 1n) / 4n);

/** A point in extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, T = XY/Z. */
type Point = [bigint, bigint, bigint, bigint];
const IDENTITY: Point = [0n, 1n, 1n, 0n];

/** RFC 8032 section 5.1.4, the addition that is complete for this curve. */
function add(p: Point, q: Point): Point {
  const a = mod((p[1] - p[0]) * (q[1] - q[0]));
  const b = mod((p[1] + p[0]) * (q[1] + q[0]));
  const c = mod(2n * p[3] * q[3] * D);
  const d = mod(2n * p[2] * q[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(n: bigint, p: Point): Point {
  let result = IDENTITY;
  let q = p;
  for (let k = n; k > 0n; k >>= 1n) {
    if (k & 1n) result = add(result, q);
    q = add(q, q);
  }
  return result;
}

const equal = (p: Point, q: Point) => mod(p[0] * q[2] - q[0] * p[2]) === 0n && mod(p[1] * q[2] - q[1] * p[2]) === 0n;
const little = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex") || "0"}`);

/** A canonical encoding's point, or null: y below the prime, x exists, and no sign on x = 0. */
function decode(bytes: Uint8Array): Point | null {
  const n = little(bytes);
  const sign = n >> 255n;
  const y = n & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = power(u * inverse(v), (P + 3n) / 8n);
  if (mod(v * x * x - u) !== 0n) x = mod(x * I);
  if (mod(v * x * x - u) !== 0n) return null;
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE = decode(Buffer.from(`58${"66".repeat(31)}`, "hex")) as Point;
const isSmallOrder = (p: Point) => equal(times(8n, p), IDENTITY);
const remembered = new Map<string, boolean>();

/** True where the signature holds: S < L, canonical A and R of no small order, and [S]B = R + [k]A without the cofactor. */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const name = [message, signature, publicKey].map((part) => Buffer.from(part).toString("hex")).join(".");
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const answer = decide(message, signature, publicKey);
  remembered.set(name, answer);
  return answer;
}

function decide(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const s = little(signature.subarray(32));
  if (s >= L) return false;
  const a = decode(publicKey);
  const r = decode(signature.subarray(0, 32));
  if (a === null || r === null || isSmallOrder(a) || isSmallOrder(r)) return false;
  const k = mod(little(createHash("sha512").update(signature.subarray(0, 32)).update(publicKey).update(message).digest()), L);
  return equal(times(s, BASE), add(r, times(k, a)));
}

/** The 64-byte signature of a message under a 32-byte secret key (RFC 8032). */
export function signEd25519(message: Uint8Array, secret: Uint8Array): Buffer {
  return nodeSign(null, message, privateKey(secret));
}

/** The public key of a 32-byte secret key. */
export function publicOf(secret: Uint8Array): Buffer {
  const jwk = createPublicKey(privateKey(secret)).export({ format: "jwk" });
  return Buffer.from(jwk.x as string, "base64url");
}

const privateKeys = new Map<string, KeyObject>();

function privateKey(secret: Uint8Array): KeyObject {
  const name = Buffer.from(secret).toString("hex");
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex"); // PKCS #8 around the 32 bytes (RFC 8410)
  const made = privateKeys.get(name) ?? createPrivateKey({ key: Buffer.concat([prefix, secret]), format: "der", type: "pkcs8" });
  privateKeys.set(name, made);
  return made;
}
