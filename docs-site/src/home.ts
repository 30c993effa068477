// The home page of /docs: where to begin, a first request, and everything there is.
import { casesOf } from './cases.ts'
import { listCalls } from './document.ts'
import { type GuideGroup, guidePath } from './guides.ts'
import { codeBlock } from './highlight.ts'
import { escape } from './html.ts'
import { renderInline } from './markdown.ts'
import type { Section } from './resources.ts'
import { samplesOf } from './samples.ts'

export function renderHome(sections: readonly Section[], groups: readonly GuideGroup[], baseUrl: string): string {
  const [api] = sections
  const guides = groups.map(
    ({ title, pages }) =>
      `<div class="guide-group"><h3>${escape(title)}</h3><ul>${pages.map((guide) => `<li><a href="${guidePath(guide)}">${escape(guide.title)}</a></li>`).join('')}</ul></div>`,
  )
  const resources = (api?.resources ?? []).map(
    ({ path, title, description }) =>
      `<li><a href="${path}"><strong>${escape(title)}</strong><span>${renderInline(description)}</span></a></li>`,
  )
  return `<div class="home">
<section class="hero" aria-labelledby="hero-title"><div class="hero-text">
<h1 id="hero-title">Cards for companies, over one API</h1>
<p>Issue and top up cards, order services, fund the card account by USDT invoice, and read every cent that moved. This server documents itself: everything here works offline, and every example was recorded from a running server.</p>
<p class="actions"><a class="button" href="${guidePath(groups[0]?.pages[0] ?? { file: '', title: '' })}">Get started</a> <a class="button quiet" href="/docs/api">API reference</a></p>
<p class="address">This server: <code>${escape(baseUrl)}</code></p>
</div>${api === undefined ? '' : renderFirstCall(api, baseUrl)}</section>
<h2 id="guides">Guides</h2><div class="guide-groups">${guides.join('')}</div>
<h2 id="downloads">Downloads</h2><p>The packages that fit this server. npm installs them by their address, without a registry.</p><ul class="cards">
<li><a href="/downloads/sdk.tgz"><strong>SDK</strong><span><code>npm install ${escape(baseUrl)}/downloads/sdk.tgz</code></span></a></li>
<li><a href="/downloads/cli.tgz"><strong>Command line</strong><span><code>npm install ${escape(baseUrl)}/downloads/cli.tgz</code></span></a></li>
<li><a href="/downloads/SHA256SUMS"><strong>Checksums</strong><span>The SHA-256 of both files.</span></a></li></ul>
<h2 id="resources">API reference</h2><ul class="cards">${resources.join('')}
<li><a href="/docs/api/event-types"><strong>Event types</strong><span>What webhook endpoints receive.</span></a></li></ul>
<h2 id="others">For operators, people and issuers</h2><ul class="cards">
<li><a href="/docs/operator"><strong>Operator API</strong><span>Companies, keys, reviews, the catalogue and the books.</span></a></li>
<li><a href="/docs/console"><strong>Console calls</strong><span>What the web console itself calls, with the session of a person: sign-in, account, team and keys.</span></a></li>
<li><a href="/docs/issuer"><strong>Issuer protocol</strong><span>What a live issuer answers and sends.</span></a></li></ul>
</div>`
}

function renderFirstCall({ document }: Section, baseUrl: string): string {
  const call = listCalls(document).find(({ operation }) => operation.operationId === 'createOperation')
  const [example] = call === undefined ? [] : casesOf(call)
  if (call === undefined || example === undefined) return ''
  const samples = samplesOf(call, example, baseUrl).map(
    ({ id, label, language, code }) =>
      `<div class="sample" data-language="${id}"><p class="sample-title">${label}</p>${codeBlock(code, language, `Issue a card, ${label}`)}</div>`,
  )
  return `<div class="call-code"><div class="samples" data-samples>${samples.join('')}</div></div>`
}
