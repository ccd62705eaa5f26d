// A QR code (ISO/IEC 18004) of an invitation, for a phone's camera: of the one size that holds a link of 106 bytes in a
// single block (version 5, level L), under its first mask.

const QR_SIDE = 37;
const QR_MOST = 106;
const QR_CHECKS = 26;
const QR_FORMAT = "111011111000100"; // level L, the first mask

function drawQr(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > QR_MOST) return null;
  const dark = qrModules(bytes).flatMap((row, y) => row.flatMap((bit, x) => (bit ? [`M${x} ${y}h1v1h-1z`] : [])));
  return svg("svg", { class: "qr", viewBox: `-4 -4 ${QR_SIDE + 8} ${QR_SIDE + 8}`, role: "img", "aria-label": say("qr") }, svg("path", { d: dark.join("") }));
}

// The modules row by row, 1 where dark: those that are fixed, and the bits in pairs of columns, from the right, up and down.
function qrModules(bytes) {
  const lines = Array.from({ length: QR_SIDE }, (_, at) => at);
  const rows = lines.map((y) => lines.map((x) => qrFixed(x, y)));
  const bits = qrCodewords(bytes).flatMap((byte) => [...byte.toString(2).padStart(8, "0")].map(Number));
  let isUp = true;
  for (let right = QR_SIDE - 1; right > 0; right -= right === 8 ? 3 : 2) { // column 6 has no bits
    for (const y of isUp ? lines.toReversed() : lines) {
      for (const x of [right, right - 1]) rows[y][x] ??= (bits.shift() ?? 0) ^ ((x + y) % 2 ? 0 : 1);
    }
    isUp = !isUp;
  }
  return rows;
}

// A module that is the same in every code: the marks at three corners, the small one, the ruled lines, the format; else null.
function qrFixed(x, y) {
  const far = (toX, toY) => Math.max(Math.abs(x - toX), Math.abs(y - toY));
  const [last, corner] = [QR_SIDE - 1, Math.min(far(3, 3), far(QR_SIDE - 4, 3), far(3, QR_SIDE - 4))];
  if (corner <= 4) return corner === 2 || corner === 4 ? 0 : 1;
  if (far(30, 30) <= 2) return far(30, 30) === 1 ? 0 : 1;
  if (x === 6 || y === 6) return (x + y) % 2 ? 0 : 1;
  if (y === 8 && (x < 9 || x > last - 8)) return Number(QR_FORMAT[x < 6 ? x : x < 9 ? x - 1 : x - last + 14]);
  if (x === 8 && y < 8) return Number(QR_FORMAT[y === 7 ? 8 : 14 - y]);
  if (x === 8 && y > last - 8) return y === last - 7 ? 1 : Number(QR_FORMAT[last - y]);
  return null;
}

// The text's bytes after their number, filled up, and the check bytes of Reed and Solomon.
function qrCodewords(bytes) {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const filled = `4${bytes.length.toString(16).padStart(2, "0")}${hex}0${"ec11".repeat(QR_MOST)}`.slice(0, 2 * (QR_MOST + 2));
  const data = filled.match(/../g).map((byte) => parseInt(byte, 16));
  let generator = [1];
  for (let count = 0, root = 1; count < QR_CHECKS; count += 1, root = qrTimes(root, 2)) {
    generator = [...generator, 0].map((each, at) => each ^ (at ? qrTimes(generator[at - 1], root) : 0));
  }
  const rest = [...data, ...Array(QR_CHECKS).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    generator.forEach((each, place) => { rest[at + place] ^= qrTimes(each, factor); });
  }
  return [...data, ...rest.slice(data.length)];
}

function qrTimes(one, other) {
  let product = 0;
  for (; other; other >>= 1, one = (one << 1) ^ (one & 128 ? 0x11d : 0)) if (other & 1) product ^= one;
  return product;
}
