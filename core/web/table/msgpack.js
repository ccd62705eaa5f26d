// Reads msgpack, as far as what is hashed or signed has it: see canonical.js.

const TEXT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const MAX_DEPTH = 200, MAX_PARTS = 1 << 16; // as in core/log/framing.py

// A map as an object, whose keys are texts.
const asObject = (pairs) => Object.assign(Object.create(null), Object.fromEntries(pairs));

/** Decode the value at `place`; returns it and where it ends. Ints beyond 2^53 are BigInts; throws for anything else. */
export function decode(data, place = 0, asMap = asObject) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const take = (count) => {
    if (place + count > data.length) throw new RangeError("the bytes end inside a value");
    place += count;
    return place - count;
  };
  const uint = (width) => small(width === 8 ? view.getBigUint64(take(8)) : view[`getUint${8 * width}`](take(width)));
  const int = (width) => small(width === 8 ? view.getBigInt64(take(8)) : view[`getInt${8 * width}`](take(width)));
  const bytes = (length) => data.slice(take(length), place);
  const text = (length) => TEXT.decode(bytes(length));
  const list = (length) => within(length, one);
  const map = (length) => asMap(within(length, () => [one(), one()]));
  let depth = 0, parts = 0;
  const within = (length, read) => {
    if ((depth += 1) > MAX_DEPTH && length) throw new RangeError("nested deeper than any log or record");
    if (length > data.length - place) throw new RangeError("more values than there are bytes");
    const found = Array.from({ length }, read);
    depth -= 1;
    return found;
  };

  function one() {
    if ((parts += 1) > MAX_PARTS) throw new RangeError("more values than an object of any log or record");
    const head = data[take(1)];
    if (head <= 0x7f) return head;
    if (head >= 0xe0) return head - 0x100;
    if (head <= 0x8f) return map(head & 0x0f);
    if (head <= 0x9f) return list(head & 0x0f);
    if (head <= 0xbf) return text(head & 0x1f);
    if (head === 0xc0) return null;
    if (head === 0xc2 || head === 0xc3) return head === 0xc3;
    if (head >= 0xc4 && head <= 0xc6) return bytes(uint(1 << (head - 0xc4)));
    if (head >= 0xcc && head <= 0xcf) return uint(1 << (head - 0xcc));
    if (head >= 0xd0 && head <= 0xd3) return int(1 << (head - 0xd0));
    if (head >= 0xd9 && head <= 0xdb) return text(uint(1 << (head - 0xd9)));
    if (head === 0xdc || head === 0xdd) return list(uint(head === 0xdc ? 2 : 4));
    if (head === 0xde || head === 0xdf) return map(uint(head === 0xde ? 2 : 4));
    throw new TypeError("this begins no value");
  }

  return [one(), place];
}

const small = (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
