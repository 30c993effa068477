// Writes a compressed tar archive whose bytes depend only on the names and contents of its files: no times, no owners, no order of a
// folder. npm installs it like an archive of `npm pack`, whose bytes depend on the version of npm.
import { gzipSync } from 'node:zlib'

/** Sizes and offsets in an archive are multiples of this. */
const BLOCK_BYTES = 512
/** The fields of a ustar header for the name and for the folders before it. */
const NAME_BYTES_MAX = 100
const PREFIX_BYTES_MAX = 155
/** The time that npm gives to every file, 1985-10-26 08:15 UTC. Some programs refuse files of 1970. */
const TIME_SECONDS = 499_162_500
/** The byte of the gzip header that names the operating system; 255 says that it is not known. */
const GZIP_OS_OFFSET = 9
const GZIP_OS_UNKNOWN = 255

/** @param {Map<string, { bytes: Buffer, isExecutable?: boolean }>} files by their path in the archive */
export function makeArchive(files) {
  const parts = []
  for (const [path, { bytes, isExecutable = false }] of [...files].toSorted(compareNames)) {
    parts.push(makeHeader(path, bytes.length, isExecutable ? 0o755 : 0o644), bytes)
    parts.push(Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES))
  }
  // Two empty blocks end an archive.
  parts.push(Buffer.alloc(2 * BLOCK_BYTES))
  const archive = gzipSync(Buffer.concat(parts), { level: 9 })
  archive[GZIP_OS_OFFSET] = GZIP_OS_UNKNOWN
  return archive
}

/** Files of the same name stand together, because they are often alike, and the compression then finds what they have in common. */
function compareNames([a], [b]) {
  const [one, other] = [a, b].map((path) => `${path.slice(path.lastIndexOf('/') + 1)}/${path}`)
  return one < other ? -1 : 1
}

function makeHeader(path, size, mode) {
  const { name, prefix } = splitPath(path)
  const header = Buffer.alloc(BLOCK_BYTES)
  const number = (value, offset, length) => header.write(value.toString(8).padStart(length - 1, '0'), offset, 'ascii')
  header.write(name, 0, 'utf8')
  number(mode, 100, 8)
  number(0, 108, 8)
  number(0, 116, 8)
  number(size, 124, 12)
  number(TIME_SECONDS, 136, 12)
  // The checksum counts its own field as spaces.
  header.write(' '.repeat(8), 148, 'ascii')
  header.write('0', 156, 'ascii')
  header.write('ustar\u000000', 257, 'ascii')
  header.write(prefix, 345, 'utf8')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii')
  return header
}

/** A path that is longer than its field is cut at a slash. */
function splitPath(path) {
  if (Buffer.byteLength(path) <= NAME_BYTES_MAX) return { name: path, prefix: '' }
  const slash = path.indexOf('/', path.length - NAME_BYTES_MAX - 1)
  const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash === -1 || Buffer.byteLength(prefix) > PREFIX_BYTES_MAX)
    throw new Error(`${path} is too long for an archive.`)
  return { name, prefix }
}
