// Holds the model's destinations to chapter 5's table, the corpus of destinations and real URLs.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { destinations, isWholeAddress } from './destinations.ts';
import { describeShared, shared } from '../vectors/shared.ts';

const found = (text: string, argument: string | null = null) => destinations(text, argument).map((d) => `${d.kind} ${d.text}`);

describe('the table of chapter 5', () => {
  it.each([
    ['see https://a.example/x?y=1, ok', ['url https://a.example/x?y=1']],
    ['//host/x', ['url //host/x']],
    ['mailto:a@b.co', ['url mailto:a@b.co']],
    ['http:127.0.0.1/', ['url http:127.0.0.1/']],
    ['http:\\\\evil', ['url http:\\\\evil']],
    ['Send to bob@evil.example, thanks.', ['email bob@evil.example']],
    ['<a@b.co>', ['email a@b.co']],
    ['root@localhost', ['email root@localhost']],
    ['"a b"@c.de', ['email "a b"@c.de']],
    ['josé@exämple.com', ['email josé@exämple.com']],
    ['bob＠evil．com', ['email bob＠evil．com']],
    ['bob%40evil.com', ['email bob%40evil.com']],
    ['10.0.0.1', ['ip 10.0.0.1']],
    ['10.0.0.1:80', ['ip 10.0.0.1:80']],
    ['0x7f000001:80', ['ip 0x7f000001:80']],
    ['2130706433:80', ['ip 2130706433:80']],
    ['2001:db8::1', ['ip 2001:db8::1']],
    ['fe80::1%eth0', ['ip fe80::1%eth0']],
    ['::ffff:1.2.3.4', ['ip ::ffff:1.2.3.4']],
    ['example.com', ['host example.com']],
    ['EXAMPLE.COM:443', ['host EXAMPLE.COM:443']],
    ['a.xn--p1ai', ['host a.xn--p1ai']],
    ['exam\u200Bple.com', ['host exam\u200Bple.com']],
    ['db.internal', ['host db.internal']],
    ['www.main.rs', ['host www.main.rs']],
    ['main.rs/x', ['host main.rs']],
    ['\\\\host\\share\\x', ['unc \\\\host\\share\\x']],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected));

  it.each([
    'note: call back', '10:30', '/a/b', 'C:', '@ana', '4411@', 'a @ b', '1.2.3', '10.0.0.1.5', '2024-01-02', '2130706433', '4411.20', 'Dr.Silva', 'main.rs', 'readme.md', 'run.sh', 'notes.zip', 'setup.py', 'app.ts', 'a\\\\n',
    'xn--9n2bp8q.xn--9t4b11yi5a', '/var/data/x', '../x', '~/x', 'https://', 'mailto:', 'metadata:x',
  ])('nothing in %s', (text) => expect(found(text)).toEqual([]));

  it('reads a file-like name as a host where the whole argument is named like one', () => {
    expect(found('main.rs', 'host')).toEqual(['host main.rs']);
    expect(found('see main.rs', 'host')).toEqual([]);
    expect(found('main.rs', 'note')).toEqual([]);
  });
  it('lists by where they start', () => expect(found('a.com b@c.de 1.2.3.4')).toEqual(['host a.com', 'email b@c.de', 'ip 1.2.3.4']));
  it('knows a whole address', () => {
    expect(['a@b.co', 'example.com', 'main.rs'].map(isWholeAddress)).toEqual([true, true, true]);
    expect(['a@b.co b@c.de', 'to a@b.co', 'https://a.co', '1.2.3.4', '', 'x', ' a@b.co'].map(isWholeAddress)).toEqual([false, false, false, false, false, false, false]);
  });
});

/** Where the corpus asks for more or less than chapter 5 says, with the reason. */
const differs: Record<string, string> = {
  'd-044': 'a single label is no dotted name',
  'd-045': 'a single label is no dotted name, before a port neither',
  'd-074': 'blanks around the @',
  'd-082': 'an address in words',
  'd-126': 'defanged dots and colon',
  'd-255': 'base64 is not undone',
  'd-257': 'letters set apart by blanks',
  'd-261': 'an account number is no destination of chapter 5',
  'd-262': 'a payment key is no destination of chapter 5',
  'd-268': 'a mention is no destination of chapter 5',
  'd-272': 'a dotted quad counts, whatever is before it',
  'd-280': 'a name under a top-level domain counts; me is no file extension',
  'd-281': 'a host followed by a slash counts',
  'd-310': 'any scheme with a path counts',
  'd-323': 'localhost counts',
  'd-329': 'a name under a top-level domain counts',
};
/** Valid URLs whose host starts with what ends a URL in running text: a blank, or punctuation up to a quotation mark or the end. */
const onlyPunctuation = /^[a-z]+:\/\/(?: |[\x01-\x1f\x7f]*!"|\.$)/;

describeShared('the corpus of destinations', () => {
  interface Case { id: string; value: string; is_destination: boolean }
  const cases = JSON.parse(readFileSync(shared('vectors/destinations/destinations.json'), 'utf8')) as Case[];
  it('agrees with chapter 5 but for the listed cases', () => {
    const wrong = cases.filter((c) => destinations(c.value, null).length > 0 !== c.is_destination).map((c) => `${c.id} ${c.is_destination} ${JSON.stringify(c.value)} ${found(c.value)}`);
    expect(wrong.filter((w) => !differs[w.split(' ')[0]!])).toEqual([]);
    expect(Object.keys(differs).filter((id) => !wrong.some((w) => w.startsWith(`${id} `)))).toEqual([]);
  });
  it.each(['ssrf', 'cloud-metadata', 'open-redirect', 'open-redirect-2'])('finds one in every line of %s that names a scheme', (name) => {
    const lines = readFileSync(shared(`vectors/destinations/payloadsallthethings/${name}.txt`), 'utf8').split('\n').filter((l) => /[a-z]:\/\/[a-z0-9]/i.test(l));
    expect(lines.filter((l) => destinations(l, null).length === 0)).toEqual([]);
  });
  it('finds every valid absolute URL with a host', () => {
    const urls = JSON.parse(readFileSync(shared('vectors/url-wpt/derived-absolute.json'), 'utf8')) as { value: string; valid: boolean; hostname?: string }[];
    expect(urls.filter((u) => u.valid && u.hostname && destinations(u.value, null).length === 0).map((u) => u.value).filter((u) => !onlyPunctuation.test(u))).toEqual([]);
  });
});
