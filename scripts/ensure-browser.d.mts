// The types of ensure-browser.mjs, for the tests.
export function findBrowser(environ?: Record<string, string | undefined>): string | undefined
export function ensureBrowser(environ?: Record<string, string | undefined>): string | undefined
