// Gives Node 20 the global `navigator` that later versions have. `pg` reads it to find out where it runs; where it is missing, `pg` makes a
// Response instead, and that loads Node's whole client for HTTP, which took a twentieth of a second of every start. Import it before `pg`.
if (!('navigator' in globalThis)) {
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Node.js/20' }, configurable: true })
}
