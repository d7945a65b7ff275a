// Multiples of the base point: the tables, made at first use in a region of their own, and multiplication by a secret scalar.
//
//   fixed (32 KB):   row i, column j: the affine addend (j + 1) 256^i B; 32 rows of 8 columns
//   window (16 KB):  piece k, column j: the affine addend (2 j + 1) 2^(64 k) B; 4 pieces of 32 columns

import { allocate, createRegion, dropRegion, enterRegion } from "../memory/region";
import { FIELD, setSmall } from "./field";
import { AFFINE, BASE, POINT, addAffine, addPoint, double, doubleTimes, oddMultiples, setNeutral, takePoint, takeProjective, toAddend, toAffine } from "./point";
import { digits16 } from "./scalar";

const ROWS: i32 = 32;
const COLUMNS: i32 = 8;
/** Pieces into which verification cuts a scalar. */
export const PIECES: i32 = 4;
/** Bits of a piece. */
export const PIECE_BITS: i32 = 64;
/** Window width of the base point's digits: odd multiples up to 63. */
export const BASE_WIDTH: i32 = 7;
const BASE_COLUMNS: i32 = 32;

let fixedTable: usize = 0;
let windowTable: usize = 0;

/** Makes both tables, once: about 5,000 products, under 0.3 ms. */
function makeTables(): void {
  const home = createRegion();
  const outer = enterRegion(home);
  const fixed = allocate(<usize>(ROWS * COLUMNS) * AFFINE);
  const window = allocate(<usize>(PIECES * BASE_COLUMNS) * AFFINE);
  const bench = createRegion();
  enterRegion(bench);
  const points = allocate(<usize>(ROWS * COLUMNS) * POINT);
  const scratch = allocate(<usize>(ROWS * COLUMNS) * FIELD);
  const power = allocate(POINT);
  const addend = allocate(POINT);

  memory.copy(power, BASE, POINT);
  for (let row: usize = 0; row < <usize>ROWS; row++) {
    const first = points + row * <usize>COLUMNS * POINT;
    memory.copy(first, power, POINT);
    toAddend(addend, power);
    for (let column: usize = 1; column < <usize>COLUMNS; column++) {
      addPoint(first + (column - 1) * POINT, addend);
      takePoint(first + column * POINT);
    }
    doubleTimes(power, 8);
  }
  toAffine(fixed, points, ROWS * COLUMNS, scratch);

  memory.copy(power, BASE, POINT);
  for (let piece: usize = 0; piece < <usize>PIECES; piece++) {
    oddMultiples(points + piece * <usize>BASE_COLUMNS * POINT, power, BASE_COLUMNS);
    doubleTimes(power, PIECE_BITS);
  }
  toAffine(window, points, PIECES * BASE_COLUMNS, scratch);

  enterRegion(outer);
  dropRegion(bench);
  fixedTable = fixed;
  windowTable = window;
}

/** The odd multiples of 2^(64 piece) B, affine addends. */
export function basePiece(piece: i32): usize {
  if (windowTable == 0) makeTables();
  return windowTable + <usize>(piece * BASE_COLUMNS) * AFFINE;
}

const DIGITS: usize = memory.data(64, 8);
const CHOSEN: usize = memory.data(128, 16);

/** point = scalar B. The scalar is below 2^255 and may be secret: time and addresses do not depend on it. */
export function multiplyBase(point: usize, scalar: usize): void {
  if (fixedTable == 0) makeTables();
  digits16(DIGITS, scalar);
  setNeutral(point);
  for (let i: usize = 1; i < 64; i += 2) addChosen(point, i);
  for (let i = 0; i < 3; i++) {
    double(point);
    takeProjective(point);
  }
  double(point);
  takePoint(point);
  for (let i: usize = 0; i < 64; i += 2) addChosen(point, i);
  memory.fill(DIGITS, 0, 64);
}

/** Adds digit `i` times 256^(i >> 1) B. */
function addChosen(point: usize, i: usize): void {
  choose(fixedTable + (i >> 1) * <usize>COLUMNS * AFFINE, load<i8>(DIGITS + i));
  addAffine(point, CHOSEN);
  takePoint(point);
}

/** Copies `digit` times a row's base to CHOSEN, looking at every column. */
function choose(row: usize, digit: i32): void {
  const negative = digit >> 31;
  const size = (digit ^ negative) - negative;
  setSmall(CHOSEN, 1);
  setSmall(CHOSEN + FIELD, 1);
  setSmall(CHOSEN + 2 * FIELD, 0);
  for (let column = 0; column < COLUMNS; column++) {
    const from = row + <usize>column * AFFINE;
    const mask = i32x4.splat(((size ^ (column + 1)) - 1) >> 31);
    for (let at: usize = 0; at < AFFINE; at += 16) v128.store(CHOSEN + at, v128.bitselect(v128.load(from + at), v128.load(CHOSEN + at), mask));
  }
  // The negative of an addend: y+x and y-x change places, 2 d x y changes its sign.
  for (let at: usize = 0; at < FIELD; at += 4) {
    const plus = load<i32>(CHOSEN + at);
    const minus = load<i32>(CHOSEN + at, 40);
    const product = load<i32>(CHOSEN + at, 80);
    const swap = (plus ^ minus) & negative;
    store<i32>(CHOSEN + at, plus ^ swap);
    store<i32>(CHOSEN + at, minus ^ swap, 40);
    store<i32>(CHOSEN + at, (product ^ negative) - negative, 80);
  }
}
