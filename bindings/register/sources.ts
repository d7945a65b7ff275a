// Reads one source document, YAML or JSON by its name, into a plain value with places.
import { readJson, type ReadDocument } from './json.ts';
import { PlaceBook, SourceText } from './position.ts';
import { problemOf } from './problems.ts';
import { readYaml } from './yaml.ts';

/** The largest source document read, in bytes: a policy, a listing or a schema. */
export const SOURCE_BYTES = 32 * 1024 * 1024;

/**
 * Reads a document. `file` is its name as people know it; one that ends in `.json` is read as strict JSON, any other as YAML, unless `kind` says which.
 * `content` is text, or UTF-8 bytes. Problems come back with codes json_…, yaml_…, source_encoding, source_size.
 */
export function readSource(file: string, content: string | Uint8Array, book: PlaceBook, kind?: 'json' | 'yaml'): ReadDocument {
  const isJson = kind ? kind === 'json' : /\.json$/i.test(file);
  const text = typeof content === 'string' ? content : decode(content);
  const source = new SourceText(file, text ?? '');
  const whole = { source, start: 0, end: source.text.length };
  const refused = (code: string, message: string, hint: string): ReadDocument => ({ value: undefined, root: whole, problems: [problemOf(file, { code, message, hint })] });
  if (text === null) return refused('source_encoding', 'The file is not UTF-8 text.', 'Save it as UTF-8.');
  if (content.length > SOURCE_BYTES) return refused('source_size', `The file is larger than ${SOURCE_BYTES} bytes.`, 'Import fewer tools, or split the listing.');
  return isJson ? readJson(source, book) : readYaml(source, book);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
