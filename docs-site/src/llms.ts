// /llms.txt: a short list of all pages with their addresses, in the form of llmstxt.org, for programs that read documentation.
import { guidePath, listGuides } from './guides.ts'
import type { Section } from './resources.ts'

/** `files` are the paths of the OpenAPI documents. */
export function makeLlmsText(
  sections: readonly Section[],
  files: Readonly<Record<string, string>>,
  baseUrl: string,
): string {
  const [api] = sections
  const [summary = ''] = api?.document.info.description.split('\n', 1) ?? []
  const guides = listGuides().map(({ title, pages }) =>
    toPart(
      title,
      pages.map((guide) => toLine(guide.title, baseUrl + guidePath(guide))),
    ),
  )
  const references = sections.map(({ name, title, resources, eventsPath }) =>
    toPart(title, [
      toLine('Introduction', `${baseUrl}/docs/${name}`),
      ...resources.map((resource) => toLine(resource.title, baseUrl + resource.path, resource.description)),
      ...(eventsPath === undefined
        ? []
        : [toLine('Event types', baseUrl + eventsPath, 'What webhook endpoints receive.')]),
      ...['json', 'yaml'].map((ending) =>
        toLine(
          `OpenAPI document as ${ending.toUpperCase()}`,
          `${baseUrl}${(files[name] ?? '').replace(/json$/, ending)}`,
        ),
      ),
    ]),
  )
  const downloads = toPart('Downloads', [
    toLine(
      'SDK',
      `${baseUrl}/downloads/sdk.tgz`,
      'The package that fits this server; `npm install` takes this address.',
    ),
    toLine('Command line', `${baseUrl}/downloads/cli.tgz`, 'The package with the `cardstock` command.'),
    toLine('Checksums', `${baseUrl}/downloads/SHA256SUMS`),
  ])
  return ['# Cardstock', `> ${summary}`, ...guides, downloads, ...references].join('\n\n') + '\n'
}

function toPart(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`
}

function toLine(title: string, address: string, description?: string): string {
  return `- [${title}](${address})${description === undefined ? '' : `: ${description}`}`
}
