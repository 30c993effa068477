// Reads forms as Stripe does: `a[b][0][c]=1` is a field `c` in the first item of the list `b` of `a`. Pure.
import { Failure, type Fields } from './world.ts'

/** Names of form fields that the simulated Stripe takes are not deeper than this. */
const DEPTH_MAX = 6

type Node = Map<string, Node | string>

export function parseForm(text: string): Fields {
  const root: Node = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = partsOf(name)
    let node = root
    for (const part of parts.slice(0, -1)) {
      const key = part === '' ? String(node.size) : part
      const inner = node.get(key) ?? new Map<string, Node | string>()
      if (typeof inner === 'string') throw new Failure(400, `Invalid ${name}: it is a text and an object.`)
      node.set(key, inner)
      node = inner
    }
    const last = parts.at(-1) ?? ''
    const key = last === '' ? String(node.size) : last
    if (node.has(key)) throw new Failure(400, `Invalid ${name}: it is there twice.`)
    node.set(key, value)
  }
  return toFields(root)
}

function partsOf(name: string): string[] {
  const match = /^(\w+)((?:\[\w*\])*)$/.exec(name)
  const parts = match === null ? [] : [match[1] ?? '', ...(match[2] ?? '').slice(1, -1).split('][')]
  if (match === null || parts.length > DEPTH_MAX) {
    throw new Failure(400, `Received unknown parameter: ${name.slice(0, 100)}`, { code: 'parameter_unknown' })
  }
  return match[2] === '' ? [match[1] ?? ''] : parts
}

function toFields(node: Node): Fields {
  return Object.fromEntries([...node].map(([name, value]) => [name, toValue(value)]))
}

function toValue(value: Node | string): Fields[string] {
  if (typeof value === 'string') return value
  const isList = [...value.keys()].every((key, index) => key === String(index))
  return isList && value.size > 0
    ? [...value.values()].map((item) => (typeof item === 'string' ? item : toFields(item)))
    : toFields(value)
}
