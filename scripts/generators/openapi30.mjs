// Rewrites an OpenAPI 3.1 document as 3.0, for generators that read only that: oapi-codegen. It keeps the calls and their schemas.

/**
 * Returns a copy in the form of 3.0. Webhooks and path items of components do not exist there. The kinds of keys are left out, too: oapi-codegen makes
 * a name of each that is also the name of a type, and its clients take the header from the caller.
 */
export function toOpenApi30(document) {
  const { webhooks: _webhooks, components, ...rest } = document
  const { pathItems: _pathItems, securitySchemes: _schemes, ...kept } = components
  return { ...convert({ ...rest, components: kept }), openapi: '3.0.3' }
}

function convert(value) {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== 'security')
  const copy = Object.fromEntries(entries.map(([name, each]) => [name, KEPT.has(name) ? each : convert(each)]))
  if ('const' in copy && typeof copy.const !== 'object') {
    copy.enum = [copy.const]
    delete copy.const
  }
  const nullable = Array.isArray(copy.type) && copy.type.includes('null')
  if (Array.isArray(copy.type)) copy.type = copy.type.find((type) => type !== 'null')
  for (const union of ['oneOf', 'anyOf']) {
    const variants = Array.isArray(copy[union]) ? copy[union] : []
    const others = variants.filter(({ type }) => type !== 'null')
    if (others.length === variants.length) continue
    copy.nullable = true
    delete copy[union]
    if (others.length === 1) copy.allOf = others
    else copy[union] = others
  }
  if (nullable) copy.nullable = true
  if (nullable && Array.isArray(copy.enum)) copy.enum = copy.enum.filter((each) => each !== null)
  return copy
}

/** Examples are data, and data may have fields with these names. */
const KEPT = new Set(['example', 'examples', 'x-error-codes'])
