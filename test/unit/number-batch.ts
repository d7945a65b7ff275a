// Many numbers through the core in one call, and what the JavaScript engine makes of the same ones.

import { decimal } from "../model/json";
import { Random } from "./random";
import { Unit } from "./instance";

const unit = new Unit("number");

/** What the core prints for each double. */
export function printAll(doubles: Float64Array): string[] {
  const bytes = new Uint8Array(doubles.buffer, doubles.byteOffset, doubles.byteLength);
  const [start] = unit.place(bytes) as [number];
  const length = unit.call.printAll!(start, doubles.length);
  return unit.bytes(unit.call.printed!(), length).toString("latin1").split("\n").slice(0, -1);
}

/** The core's 128 bits of 5^q. */
export function powerOf(q: number): bigint {
  const half = (high: number) => BigInt.asUintN(64, unit.call.powerHalf!(q, high) as unknown as bigint);
  return (half(1) << 64n) | half(0);
}

/** A number as it was read. */
export interface ReadNumber {
  value: number;
  inexact: boolean;
}

/** What the core reads from each text. */
export function readAll(texts: readonly string[]): ReadNumber[] {
  const bytes = Buffer.from(`${texts.join("\n")}\n`, "latin1");
  const [start, results] = unit.place(bytes, texts.length * 16) as [number, number];
  unit.call.readAll!(start, bytes.length, results);
  const view = unit.view();
  return texts.map((_, i) => ({ value: view.getFloat64(results + i * 16, true), inexact: view.getUint8(results + i * 16 + 8) === 1 }));
}

/** Whether a text is inexact (chapter 1), by BigInt arithmetic and the engine's printing. */
export function isInexact(text: string): boolean {
  const said = decimal(text);
  const value = Number(text);
  if (!Number.isFinite(value)) return true;
  if (said.digits === "") return false;
  if (value === 0) return true;
  if (said.power < 0n) return false;
  const printed = decimal(String(value));
  return printed.digits !== said.digits || printed.power !== said.power;
}


const word = new DataView(new ArrayBuffer(8));

/** The double with these bits. */
export function fromBits(bits: bigint): number {
  word.setBigUint64(0, bits);
  return word.getFloat64(0);
}

/** A double's bits. */
export function toBits(value: number): bigint {
  word.setFloat64(0, value);
  return word.getBigUint64(0);
}

/** The exact decimal of the middle between a positive double and the next: digits and power of ten. */
function middle(value: number): { digits: bigint; power: number } {
  const bits = toBits(value);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const significand = 2n * (biased === 0 ? fraction : fraction | (1n << 52n)) + 1n;
  const exponent = (biased === 0 ? 1 : biased) - 1076;
  return exponent >= 0 ? { digits: significand << BigInt(exponent), power: 0 } : { digits: significand * 5n ** BigInt(-exponent), power: exponent };
}

/** Random doubles and number texts of every kind that has ever been read or printed wrongly. */
export class Numbers {
  constructor(private readonly random: Random) {}

  /** A finite double: any bits, few bits, subnormal, near a power of two, an amount with cents, an integer near 2^53. */
  double(): number {
    const value = this.anyDouble();
    return Number.isFinite(value) ? value : 0.1;
  }

  private anyDouble(): number {
    const { random } = this;
    const high = random.below(0x100000000);
    const low = random.below(0x100000000);
    const bits = (BigInt(high) << 32n) | BigInt(low);
    const sign = random.below(2) === 0 ? 1 : -1;
    switch (random.below(12)) {
      case 0: return sign * fromBits(bits & 0xfffffffffffffn);
      case 1: return sign * fromBits(BigInt(random.below(2047)) << 52n);
      case 2: return sign * fromBits((BigInt(random.below(2045)) << 52n) + BigInt(random.below(3)) + 0xffffffffffffen);
      case 3: return (sign * random.below(100000000)) / 100;
      case 4: return sign * (2 ** 53 + random.below(4000000) - 2000000);
      case 5: return sign * random.below(0x100000000) * 2 ** random.below(40);
      case 6: return Number(`${sign * (1 + random.below(9999))}e${random.below(616) - 308}`);
      default: return fromBits(bits);
    }
  }

  /** A text: a middle between two doubles or next to one, cut at any length, with zeros behind; a random decimal; an integer with zeros to spare. */
  text(): string {
    const { random } = this;
    const sign = random.below(4) === 0 ? "-" : "";
    const what = random.below(10);
    if (what < 6) {
      const value = Math.abs(this.double());
      if (value >= Number.MAX_VALUE) return `${sign}1e309`;
      const { digits, power } = middle(value);
      const whole = String(digits + BigInt(what < 3 ? random.below(3) - 1 : 0));
      const zeros = random.below(8) === 0 ? "0".repeat(random.below(900)) + random.below(2) : "";
      const kept = what < 3 ? whole + zeros : whole.slice(0, 15 + random.below(12));
      return sign + this.spell(kept, power + (whole.length - kept.length));
    }
    const length = random.below(8) === 0 ? 1 + random.below(60) : 1 + random.below(21);
    const digits = Array.from({ length }, () => random.below(10)).join("").replace(/^0+(?=.)/, "");
    if (what === 6) return sign + digits + "0".repeat(random.below(8)) + random.of(["", ".0", "e2", "e-1", ".00e1"]);
    return sign + this.spell(digits, what === 7 ? random.below(24) - 22 : random.below(680) - 360);
  }

  /** digits × 10^power in one of the ways JSON writes it. */
  private spell(digits: string, power: number): string {
    const { random } = this;
    if (random.below(3) === 0 && power < 0 && power > -400) {
      const padded = digits.padStart(1 - power, "0");
      return `${padded.slice(0, power)}.${padded.slice(power)}`;
    }
    if (digits.length > 1 && random.below(2) === 0) {
      return `${digits[0]}.${digits.slice(1)}${random.of(["e", "E"])}${power + digits.length - 1}`.replace(/([eE])(\d)/, random.below(2) === 0 ? "$1+$2" : "$1$2");
    }
    return power === 0 ? digits : `${digits}e${power}`;
  }
}
