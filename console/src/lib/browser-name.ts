// Names a browser by its User-Agent header, so that people recognise their own.

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

const SHOWN_LENGTH = 40

export function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent.slice(0, SHOWN_LENGTH)
  return system === undefined ? browser : `${browser} on ${system}`
}
