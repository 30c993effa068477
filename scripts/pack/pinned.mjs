// The exact versions of everything that a program installs, from our lock file. A dependency of a dependency is a range, so an installation of
// next year would get other code than the one that was tested. npm reads neither the lock file nor the overrides of a package that it installs
// from a file, so the published manifest names every package itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the packages that a workspace needs, directly or not, with their versions. `brings` are left out, but not what they need. */
export function listPinned(root, workspace, brings) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Map()
  const visit = (from, name, isOptional) => {
    const place = findPlace(packages, from, name)
    if (place === undefined) {
      if (isOptional) return
      throw new Error(`The lock file has no ${name}, which ${from} needs.`)
    }
    const { link, resolved } = packages[place]
    const inside = link === true ? resolved : place
    const former = found.get(place)
    if (former !== undefined && (!former.isOptional || isOptional)) return
    found.set(place, { name, place, isOptional, ...packages[inside] })
    visitAll(inside, isOptional)
  }
  const visitAll = (place, isOptional) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[place]
    for (const name of Object.keys(dependencies)) visit(place, name, isOptional || name in optionalDependencies)
    for (const name of Object.keys(optionalDependencies)) visit(place, name, true)
  }
  visitAll(workspace, false)
  return [...found.values()]
    .filter(({ name }) => !brings.includes(name))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

/** Returns the nearest node_modules that has the package, as Node would. */
function findPlace(packages, from, name) {
  const folders = from.split('/')
  for (let length = folders.length; length >= 0; length--) {
    const place = [...folders.slice(0, length), 'node_modules', name].join('/')
    if (packages[place] !== undefined) return place
  }
  return undefined
}
