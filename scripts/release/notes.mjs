// The notes of a release: its section of CHANGELOG.md, with links that work outside of the repository.

/** Returns undefined if the changelog has no section for the version, or an empty one. */
export function findNotes(changelog, version, repositoryUrl) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split('\n', 1)[0]?.split(' ')[0] === version)
  const body = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (body === '') return undefined
  const base = `${repositoryUrl.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/v${version}`
  return `# Cardstock ${version}\n\n${body.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${base}/$1)`)}\n`
}
