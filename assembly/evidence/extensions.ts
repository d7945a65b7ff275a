// The file extensions that yield to a name, and the reason for each.

import { unitsAre } from "./reading";

/**
 * Top-level domains that in an argument far more often end a file's name than a host's. Not here, although files end so: cc, com, info,
 * mk, ml, pl, ps, so and the like, under which whole countries or many hosts live; chapter 5 asks to prefer a false alarm. Extensions
 * that are no top-level domain (ts, js, txt, json, pdf) never make a host and need no entry.
 */
const EXTENSIONS = [
  "cab", // cabinet archives; the domain is for taxis and small
  "data", // what programs and models are fed; the domain is one company's and unused
  "dot", // Graphviz and document templates; the domain is one company's and unused
  "map", // source maps (app.js.map); the domain is one company's
  "md", // Markdown: chapter 5 names readme.md
  "mov", // films
  "pm", // Perl modules
  "pub", // public keys (id_ed25519.pub)
  "py", // Python: chapter 5 names setup.py
  "rs", // Rust: chapter 5 names main.rs
  "sh", // shell: chapter 5 names run.sh
  "tf", // Terraform (main.tf)
  "zip", // archives: chapter 5 names notes.zip
];

/** Whether units `from` … `to` are an extension that yields. */
export function isExtension(from: i32, to: i32): bool {
  if (to - from > LONGEST_EXTENSION) return false;
  for (let i = 0; i < EXTENSIONS.length; i++) if (unitsAre(from, to, EXTENSIONS[i])) return true;
  return false;
}

/** The longest of them. */
const LONGEST_EXTENSION: i32 = 4;
