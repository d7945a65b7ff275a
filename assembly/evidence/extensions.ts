// The file extensions that yield to a name, and the reason for each.

import { unitsAre } from "./reading";

/**
 * Top-level domains that in an argument far more often end a file's name than a host's: archives (zip, cab), Markdown (md), make (mk),
 * film (mov), Perl modules (pm), PostScript (ps), public keys (pub), Python (py), Rust (rs), shell (sh), Terraform (tf), source
 * maps (map). Not here, although files end so: cc, com, info, ml, pl, so and the like, under which many hosts live; chapter 5 asks
 * to prefer a false alarm. Extensions that are no top-level domain (ts, js, txt) never make a host and need no entry.
 */
const EXTENSIONS = ["cab", "map", "md", "mk", "mov", "pm", "ps", "pub", "py", "rs", "sh", "tf", "zip"];

/** Whether units `from` … `to` are an extension that yields. */
export function isExtension(from: i32, to: i32): bool {
  if (to - from > 3) return false;
  for (let i = 0; i < EXTENSIONS.length; i++) if (unitsAre(from, to, EXTENSIONS[i])) return true;
  return false;
}
