// Types of ensure-browser.mjs, which the tests import.
export function findBrowser(environ?: Record<string, string | undefined>): string | undefined
export function ensureBrowser(environ?: Record<string, string | undefined>): string | undefined
