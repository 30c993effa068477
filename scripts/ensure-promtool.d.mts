// Types of ensure-promtool.mjs, which the tests import.
export function findPromtool(environ?: Record<string, string | undefined>): string | undefined
export function ensurePromtool(environ?: Record<string, string | undefined>): string | undefined
