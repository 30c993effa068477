// What a setting is: its default, what it is for, whether it is secret, and how its text becomes a value.
import { flag, integer } from './setting-values.ts'

export interface Setting<Value> {
  readonly about: string
  readonly fallback: string | undefined
  readonly secret: boolean
  parse(text: string): Value
}

export function setting<Value>(parse: (text: string) => Value, fallback: string, about: string): Setting<Value> {
  return { about, fallback, secret: false, parse }
}

export function optional(about: string): Setting<string | undefined>
export function optional<Value>(about: string, parse: (text: string) => Value): Setting<Value | undefined>
export function optional(about: string, parse: (text: string) => unknown = (text) => text): Setting<unknown> {
  return { about, fallback: undefined, secret: false, parse }
}

export function optionalFlag(about: string): Setting<boolean | undefined> {
  return { about, fallback: undefined, secret: false, parse: flag }
}

export function optionalInteger(min: number, max: number, about: string): Setting<number | undefined> {
  return { about, fallback: undefined, secret: false, parse: integer(min, max) }
}

export function secret(about: string, parse: (text: string) => string = (text) => text): Setting<string | undefined> {
  return { about, fallback: undefined, secret: true, parse }
}
