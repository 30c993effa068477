// The frame of every page: the bar at the top, the navigation, the text, and what is on this page. Everything is there without
// JavaScript; the scripts add the search, the tabs, the menu and the switch between light and dark.
import { escape, renderMethod } from './html.ts'
import type { Body, Page } from './site.ts'

export interface NavLink {
  readonly path: string
  readonly title: string
  /** Anchors on the page itself. */
  readonly parts: readonly { readonly id: string; readonly title: string; readonly method: string | undefined }[]
}

export interface NavGroup {
  readonly title: string
  readonly links: readonly NavLink[]
}

interface Frame {
  readonly page: Pick<Page, 'path' | 'title' | 'part'>
  readonly body: Body
  readonly navigation: readonly NavGroup[]
  /** Where the guides begin. */
  readonly firstGuide: string
}

export function renderPage({ page, body, navigation, firstGuide }: Frame): string {
  const title = page.part === 'home' ? 'Cardstock documentation' : `${page.title} · Cardstock documentation`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/frame.css">
<link rel="stylesheet" href="/docs/assets/content.css">
<script src="/docs/assets/theme.js"></script>
<script type="module" src="/docs/assets/main.js"></script>
</head>
<body class="${page.part}">
<a class="skip" href="#main">Skip to the text</a>
${renderTop(page, firstGuide)}
<div class="frame">
<nav class="sidebar" id="sidebar" aria-label="Pages">${renderSectionLinks(page, firstGuide)}${navigation.map((group) => renderGroup(group, page.path)).join('')}</nav>
<main id="main" tabindex="-1">
${body.html}
</main>
${renderContents(body)}
</div>
<p class="visually-hidden" id="news" role="status"></p>
</body>
</html>
`
}

function renderTop(page: Frame['page'], firstGuide: string): string {
  return `<header class="top">
<a class="menu-link" href="#sidebar" id="menu">Menu</a>
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24"> Cardstock <span>docs</span></a>
<nav class="sections" aria-label="Sections">${renderSectionLinks(page, firstGuide)}</nav>
<button type="button" class="search-button" id="search-button" hidden>Search <kbd>/</kbd></button>
<button type="button" class="theme-button" id="theme-button" hidden></button>
</header>`
}

/** They are in the bar at the top, and in the menu of small screens, whose bar has no room for them. */
function renderSectionLinks({ part, path }: Frame['page'], firstGuide: string): string {
  const links = [
    ['guides', firstGuide, 'Guides'],
    ['api', '/docs/api', 'API reference'],
    ['operator', '/docs/operator', 'Operator API'],
    ['console', '/docs/console', 'Console calls'],
    ['issuer', '/docs/issuer', 'Issuer protocol'],
  ] as const
  const items = links.map(([name, target, title]) => {
    const current = name === part ? ` aria-current="${target === path ? 'page' : 'true'}"` : ''
    return `<li><a href="${target}"${current}>${title}</a></li>`
  })
  return `<ul class="section-links">${items.join('')}</ul>`
}

function renderGroup({ title, links }: NavGroup, current: string): string {
  return `<div class="nav-group"><h2>${escape(title)}</h2><ul>${links.map((link) => renderLink(link, current)).join('')}</ul></div>`
}

function renderLink({ path, title, parts }: NavLink, current: string): string {
  const items = parts.map(
    (part) =>
      `<li><a href="#${part.id}">${part.method === undefined ? '<span class="method object">OBJ</span>' : renderMethod(part.method)} <span>${escape(part.title)}</span></a></li>`,
  )
  const inner = items.length === 0 ? '' : `<ul class="nav-parts">${items.join('')}</ul>`
  return `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escape(title)}</a>${inner}</li>`
}

/** Two headings or fewer need no list. */
function renderContents({ headings }: Body): string {
  if (headings.length < 3) return ''
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`)
  return `<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2><ul>${items.join('')}</ul></nav>`
}
