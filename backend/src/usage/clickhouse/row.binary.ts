/** Writes rows in ClickHouse's RowBinary format into one buffer that grows. */
export class RowBinaryWriter {
  private bytes: Buffer<ArrayBuffer>;
  private length = 0;
  /** Encoded texts and ids with their lengths: few different ones repeat in many rows. */
  private readonly texts = new Map<string, Buffer>();
  private readonly ids = new Map<string, Buffer>();

  constructor(size = 1 << 20) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  uuid(id: string): void {
    let encoded = this.ids.get(id);
    if (encoded === undefined) {
      // Two 64-bit integers, the higher half first, each with its lowest byte first.
      const plain = Buffer.from(id.replaceAll('-', ''), 'hex');
      encoded = Buffer.concat([plain.subarray(0, 8).reverse(), plain.subarray(8, 16).reverse()]);
      remember(this.ids, id, encoded);
    }
    this.copy(encoded);
  }

  text(text: string): void {
    let encoded = this.texts.get(text);
    if (encoded === undefined) {
      const plain = Buffer.from(text, 'utf8');
      encoded = Buffer.concat([lengthOf(plain.length), plain]);
      remember(this.texts, text, encoded);
    }
    this.copy(encoded);
  }

  uint8(value: number): void {
    this.reserve(1);
    this.length = this.bytes.writeUInt8(value, this.length);
  }

  uint16(value: number): void {
    this.reserve(2);
    this.length = this.bytes.writeUInt16LE(value, this.length);
  }

  uint32(value: number): void {
    this.reserve(4);
    this.length = this.bytes.writeUInt32LE(value, this.length);
  }

  /** A 64-bit integer from 0 to 2^53 - 1. */
  uint64(value: number): void {
    this.reserve(8);
    this.length = this.bytes.writeUInt32LE(value % 2 ** 32, this.length);
    this.length = this.bytes.writeUInt32LE(Math.floor(value / 2 ** 32), this.length);
  }

  float32(value: number): void {
    this.reserve(4);
    this.length = this.bytes.writeFloatLE(value, this.length);
  }

  /** The bytes written since the last call, valid until the next write. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    this.bytes = Buffer.allocUnsafe(Math.max(1 << 16, taken.length));
    return taken;
  }

  private copy(encoded: Buffer): void {
    this.reserve(encoded.length);
    this.length += encoded.copy(this.bytes, this.length);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + bytes));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

const rememberedMost = 10_000;

function remember(known: Map<string, Buffer>, text: string, encoded: Buffer): void {
  if (known.size >= rememberedMost) known.clear();
  known.set(text, encoded);
}

/** LEB128. */
function lengthOf(length: number): Buffer {
  const bytes: number[] = [];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
