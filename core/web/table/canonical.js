// The canonical msgpack of trust.md: what is hashed or signed has one encoding only. The keys of a Map may be no texts.

const UTF8 = new TextEncoder();

/** Encode a value of null, booleans, ints, texts, bytes, arrays, objects and Maps; throws a TypeError for anything else. */
export function canonical(value) {
  const chunks = [];
  write(value, chunks);
  return concat(chunks);
}

export const concat = (chunks) => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));

/** Compare two byte arrays: below 0 if the first comes first. */
export function order(one, other) {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return one[at] - other[at];
  return one.length - other.length;
}

export const equal = (one, other) => order(one, other) === 0;

function write(value, chunks) {
  if (value === null) chunks.push(Uint8Array.of(0xc0));
  else if (typeof value === "boolean") chunks.push(Uint8Array.of(value ? 0xc3 : 0xc2));
  else if (typeof value === "bigint" || Number.isSafeInteger(value)) chunks.push(int(BigInt(value)));
  else if (typeof value === "string") text(value, chunks);
  else if (value instanceof Uint8Array) chunks.push(head(value.length, null, 0, [0xc4, 0xc5, 0xc6]), value);
  else if (Array.isArray(value)) {
    chunks.push(head(value.length, 0x90, 15, [null, 0xdc, 0xdd]));
    for (const each of value) write(each, chunks);
  } else if (typeof value === "object") map(value, chunks);
  else throw new TypeError("no canonical form");
}

function text(value, chunks) {
  if (/\p{Surrogate}/u.test(value)) throw new TypeError("half a surrogate pair");
  const raw = UTF8.encode(value);
  chunks.push(head(raw.length, 0xa0, 31, [0xd9, 0xda, 0xdb]), raw);
}

function map(value, chunks) {
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const pairs = entries.map(([key, each]) => ({ raw: canonical(key), each })).sort((one, other) => order(one.raw, other.raw));
  chunks.push(head(pairs.length, 0x80, 15, [null, 0xde, 0xdf]));
  for (const { raw, each } of pairs) {
    chunks.push(raw);
    write(each, chunks);
  }
}

/** Make the shortest head of a text, bytes, list or map: one byte if `most` allows it, else with 1, 2 or 4 of length. */
function head(length, fixed, most, heads) {
  if (fixed !== null && length <= most) return Uint8Array.of(fixed | length);
  if (length < 1 << 8 && heads[0] !== null) return Uint8Array.of(heads[0], length);
  if (length < 1 << 16) return Uint8Array.of(heads[1], length >> 8, length);
  return Uint8Array.of(heads[2], length >> 24, length >> 16, length >> 8, length);
}

function int(value) {
  if (value >= -32n && value < 128n) return Uint8Array.of(Number(BigInt.asUintN(8, value)));
  const [first, cut] = value < 0n ? [0xd0, BigInt.asIntN] : [0xcc, BigInt.asUintN];
  const width = [1, 2, 4, 8].find((bytes) => cut(8 * bytes, value) === value);
  if (width === undefined) throw new TypeError("an int of more than 64 bits");
  const out = new DataView(new ArrayBuffer(9));
  out.setBigUint64(1, BigInt.asUintN(64, value));
  out.setUint8(8 - width, first + Math.log2(width));
  return new Uint8Array(out.buffer, 8 - width);
}
