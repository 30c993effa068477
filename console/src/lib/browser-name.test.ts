// Browsers by the line that they send about themselves.
import { expect, test } from 'vitest'
import { describeBrowser } from './browser-name.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test.each([
  [CHROME, 'Chrome on Linux'],
  [`${CHROME} Edg/140.0`, 'Edge on Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['', 'Unknown'],
  [`curl/${'8'.repeat(60)}`, `curl/${'8'.repeat(35)}`],
])('%s is %s', (userAgent, name) => {
  expect(describeBrowser(userAgent)).toBe(name)
})
