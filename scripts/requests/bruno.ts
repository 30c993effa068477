// Writes example requests as a Bruno collection (https://www.usebruno.com): a folder for the company's and one for the operator's
// calls, in each a folder per tag and a file per call, and an environment with the address and the ids. The keys are secrets of the environment, which Bruno keeps outside the files.
import { BASE_URL, type ExampleRequest, type GroupName, type RequestCollection } from './model.ts'

const ROOT = 'examples/bruno'

/** Returns the files by path. */
export function writeBruno({ folders, requests, ids }: RequestCollection): Record<string, string> {
  const files: Record<string, string> = {
    [`${ROOT}/bruno.json`]: `${JSON.stringify({ version: '1', name: 'Cardstock', type: 'collection', ignore: [] }, null, 2)}\n`,
    [`${ROOT}/collection.bru`]: join(block('meta', ['name: Cardstock'])),
    ...writeGroup('company', 'apiKey', 1),
    ...writeGroup('operator', 'operatorToken', 2),
    [`${ROOT}/environments/Local.bru`]: join(
      block('vars', Object.entries({ baseUrl: BASE_URL, ...ids }).map(toPair)),
      'vars:secret [\n  apiKey,\n  operatorToken\n]',
    ),
  }
  for (const [index, { group, name, description }] of folders.entries()) {
    const path = `${ROOT}/${group}/${toFileName(name)}`
    const meta = block('meta', [`name: ${name}`, `seq: ${index + 1}`])
    files[`${path}/folder.bru`] = join(meta, block('docs', [description]))
    const inside = requests.filter((request) => request.group === group && request.folder === name)
    for (const [place, request] of inside.entries())
      files[`${path}/${toFileName(request.id)}.bru`] = writeRequest(request, place + 1)
  }
  return files
}

function writeRequest(request: ExampleRequest, place: number): string {
  const { name, method, path, query, body, isIdempotent, description } = request
  const required = query.filter(({ isRequired }) => isRequired).map((item) => `${item.name}=${item.value}`)
  const search = required.length === 0 ? '' : `?${required.join('&')}`
  return join(
    block('meta', [`name: ${name}`, 'type: http', `seq: ${place}`]),
    block(method.toLowerCase(), [
      `url: {{baseUrl}}${path}${search}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      'auth: inherit',
    ]),
    // A line that begins with ~ is switched off.
    ...blockOf(
      'params:query',
      query.map((item) => `${item.isRequired ? '' : '~'}${item.name}: ${item.value}`),
    ),
    ...blockOf('headers', isIdempotent ? ['Idempotency-Key: {{$randomUUID}}'] : []),
    ...blockOf('body:json', body?.split('\n') ?? []),
    block('docs', description.split('\n')),
  )
}

function writeGroup(group: GroupName, variable: string, place: number): Record<string, string> {
  const meta = block('meta', [`name: ${group}`, `seq: ${place}`])
  const token = block('auth:bearer', [`token: {{${variable}}}`])
  return { [`${ROOT}/${group}/folder.bru`]: join(meta, block('auth', ['mode: bearer']), token) }
}

const toPair = ([name, value]: [string, string]) => `${name}: ${value}`
const join = (...blocks: string[]) => `${blocks.join('\n\n')}\n`
const blockOf = (name: string, lines: readonly string[]) => (lines.length === 0 ? [] : [block(name, lines)])

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}`
}

/** `createOperation` and `card account` become `create-operation` and `card-account`. */
function toFileName(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(' ', '-')
    .toLowerCase()
}
