import "./abort";
import { createRegion, enterRegion, resetRegion, allocate } from "./memory/region";
class P { constructor(public a: i32, public b: Array<i32>) {} }
let call: usize = 0;
export function alloc(n: i32): usize { if (!call) call = createRegion(); enterRegion(call); resetRegion(call); return allocate(n); }
export function go(n: i32): i32 { const p = new P(n, []); for (let i = 0; i < n; i++) p.b.push(i); let s = 0; for (let i = 0; i < p.b.length; i++) s += p.b[i]; return s; }
