// The bill of materials of a release, in the format CycloneDX 1.6: every package of another project that the server installs or contains, with its
// licence, its checksum and what it needs. It has no time and no random number, so that it is the same whoever makes it.
import { listThirdParty } from '../pack/licences.mjs'

export function makeSbom(root, { version, license, names }) {
  const found = new Map()
  for (const one of listThirdParty(root)) {
    const ref = refOf(one)
    const former = found.get(ref)
    found.set(ref, {
      ...one,
      isOptional: one.isOptional && former?.isOptional !== false,
      workspaces: [...(former?.workspaces ?? []), one.workspace],
    })
  }
  const components = [...found.values()].toSorted((a, b) => (refOf(a) < refOf(b) ? -1 : 1))
  const byPlace = new Map(components.map((one) => [one.place, one]))
  const own = { type: 'application', 'bom-ref': 'cardstock', name: 'cardstock', version, licenses: toLicences(license) }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...own, components: names.map((name) => toOwn(name, version, license)) } },
    components: components.map(toComponent),
    dependencies: [
      { ref: 'cardstock', dependsOn: components.map(refOf) },
      ...components.map((one) => ({ ref: refOf(one), dependsOn: listNeeded(one, byPlace) })),
    ],
  }
}

/** https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
const refOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function toOwn(name, version, license) {
  const ref = refOf({ name, version })
  return { type: 'application', 'bom-ref': ref, name, version, purl: ref, licenses: toLicences(license) }
}

/** An expression is for a choice of several licences; a single one has an id. */
const toLicences = (license) => (/[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }])

function toComponent({ name, version, license, integrity, isOptional, workspaces, ...one }) {
  const ref = refOf({ name, version })
  const digest = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  return {
    type: name.startsWith('@fontsource') ? 'file' : 'library',
    'bom-ref': ref,
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: digest }],
    licenses: toLicences(license),
    purl: ref,
    properties: workspaces.map((workspace) => ({ name: 'cardstock:part', value: workspace })),
    ...(one.place.lastIndexOf('node_modules/') > 0 ? { description: `Installed at ${one.place}.` } : {}),
  }
}

function listNeeded({ place, dependencies = {}, optionalDependencies = {} }, byPlace) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const found = names.flatMap(
    (name) => byPlace.get(`${place}/node_modules/${name}`) ?? byPlace.get(`node_modules/${name}`) ?? [],
  )
  return [...new Set(found.map(refOf))].toSorted()
}
