// "Try it": a dialog that sends a call to this server's sandbox. The key stays in this tab; live keys are refused.
import { addCopyButtons } from './copy.js'
import { announce, element, recall, remember } from './element.js'
import { useOwnId } from './own-ids.js'

/**
 * @typedef {{
 *   summary: string, method: string, path: string, idempotent: boolean,
 *   parameters: { name: string, in: string, required: boolean, value: string }[],
 *   bodies: Record<string, unknown>, idSources: Record<string, string>
 * }} TryIt
 */

const KEY_NAME = 'docs-sandbox-key'

export function startTryIt() {
  for (const button of document.querySelectorAll('button[data-try]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => openDialog(JSON.parse(button.dataset['try'] ?? '{}')))
  }
}

/** @param {TryIt} call */
function openDialog(call) {
  const form = makeForm(call)
  const close = element('button', { type: 'button', class: 'quiet' }, 'Close')
  const heading = element('h2', { id: 'try-title' }, call.summary)
  const dialog = element(
    'dialog',
    { class: 'try', 'aria-labelledby': 'try-title' },
    element('div', { class: 'try-head' }, heading, close),
    form.root,
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  form.keyInput.focus()
}

/**
 * @param {string} label
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 * @param {string} [note]
 */
function labelled(label, control, note = '') {
  const name = element('span', { class: 'label' }, label, ...(note === '' ? [] : [element('small', {}, ` ${note}`)]))
  return element('label', { class: 'control' }, name, control)
}

/** @param {TryIt} call */
function makeForm(call) {
  const keyInput = element('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'cstk_sandbox_…',
  })
  keyInput.value = recall(KEY_NAME, sessionStorage) ?? ''
  const inputs = call.parameters.map((parameter) => {
    const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', value: parameter.value })
    return { parameter, input }
  })
  const body = makeBody(call)
  const problem = element('p', { class: 'try-problem', role: 'alert' })
  const output = element('div', { class: 'try-output' })
  const send = element('button', { type: 'submit', class: 'button' }, 'Send')
  const fill = element('button', { type: 'button', class: 'quiet' }, 'Fill in my ids')
  fill.hidden = Object.keys(call.idSources).length === 0
  const root = element(
    'form',
    { class: 'try-form' },
    element(
      'p',
      { class: 'endpoint' },
      element('span', { class: `method ${call.method.toLowerCase()}` }, call.method),
      ' ',
      element('code', {}, call.path),
    ),
    labelled('Sandbox key', keyInput, 'stays in this tab'),
    ...inputs.map(({ parameter, input }) =>
      labelled(parameter.name, input, parameter.required ? `${parameter.in}, required` : parameter.in),
    ),
    ...body.controls,
    element('div', { class: 'try-actions' }, send, fill),
    problem,
    output,
  )
  /** @param {() => Promise<void>} act */
  const attempt = async (act) => {
    problem.textContent = ''
    send.disabled = true
    try {
      await act()
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
    } finally {
      send.disabled = false
    }
  }
  const requireKey = () => {
    const key = requireSandboxKey(keyInput.value)
    remember(KEY_NAME, key, sessionStorage)
    return key
  }
  root.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(async () => {
      const key = requireKey()
      const request = { url: toUrl(call, inputs), key, body: body.read() }
      output.replaceChildren(await sendRequest(call, request))
      addCopyButtons(output)
    })
  })
  fill.addEventListener('click', () => void attempt(() => fillIds(call, requireKey(), inputs, body.input)))
  return { root, keyInput }
}

/** @param {TryIt} call */
function makeBody(call) {
  const names = Object.keys(call.bodies)
  const input = element('textarea', { rows: '9', spellcheck: 'false' })
  if (names.length === 0) return { controls: [], input: undefined, read: () => undefined }
  const select = element('select', {}, ...names.map((name) => element('option', { value: name }, name)))
  const show = () => (input.value = JSON.stringify(call.bodies[select.value], null, 2))
  select.addEventListener('change', show)
  show()
  const read = () => {
    try {
      return JSON.stringify(JSON.parse(input.value))
    } catch (error) {
      throw new Error(`The body is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  }
  return {
    controls: [...(names.length > 1 ? [labelled('Example', select)] : []), labelled('Body', input, 'JSON')],
    input,
    read,
  }
}

/** @param {string} text */
function requireSandboxKey(text) {
  const key = text.trim()
  if (key === '') throw new Error('Paste a sandbox key first. It begins with cstk_sandbox_.')
  if (/live/i.test(key.slice(0, 12))) {
    throw new Error('This is a live key. It moves real money, so it is not sent from here. Use a sandbox key.')
  }
  if (!key.startsWith('cstk_sandbox_'))
    throw new Error('This is not a sandbox key. A sandbox key begins with cstk_sandbox_.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('The key has characters that no key has. Copy it again.')
  return key
}

/**
 * @param {TryIt} call
 * @param {{ parameter: TryIt['parameters'][number], input: HTMLInputElement }[]} inputs
 */
function toUrl({ path }, inputs) {
  const query = new URLSearchParams()
  let url = path
  for (const { parameter, input } of inputs) {
    const value = input.value.trim()
    if (value === '' && parameter.required) throw new Error(`${parameter.name} is required.`)
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(parameter.name, value)
  }
  return query.size === 0 ? url : `${url}?${query}`
}

/**
 * @param {TryIt} call
 * @param {{ url: string, key: string, body: string | undefined }} request
 */
async function sendRequest({ method, idempotent }, { url, key, body }) {
  /** @type {Record<string, string>} */
  const headers = { authorization: `Bearer ${key}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotent) headers['idempotency-key'] = newKey()
  const started = performance.now()
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) }).catch(() => {
    throw new Error('The server did not answer. Is it running?')
  })
  const text = await response.text()
  const ms = Math.round(performance.now() - started)
  announce(`The server answered ${response.status}.`)
  const status = element('span', { class: response.ok ? 'status' : 'status refused' }, String(response.status))
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const sent = idempotent ? [element('p', { class: 'limits' }, `Idempotency-Key: ${headers['idempotency-key']}`)] : []
  return element(
    'div',
    {},
    element('p', { class: 'try-status' }, 'Answer ', status, ` in ${ms} ms`),
    ...sent,
    codeBox(toPretty(text), 'Body of the answer'),
    element(
      'details',
      {},
      element('summary', {}, 'Headers of the answer'),
      codeBox(lines.join('\n'), 'Headers of the answer'),
    ),
  )
}

/** Only pages over HTTPS and on this machine have randomUUID. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @param {string} text */
function toPretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text === '' ? '(no body)' : text
  }
}

/**
 * @param {string} text
 * @param {string} label
 */
function codeBox(text, label) {
  const pre = element(
    'pre',
    { class: 'code', tabindex: '0', role: 'group', 'aria-label': label },
    element('code', {}, text),
  )
  return element('div', { class: 'code-box' }, pre)
}

/**
 * Replaces the ids of the example by the newest ones of the reader's own company.
 * @param {TryIt} call
 * @param {string} key
 * @param {{ parameter: TryIt['parameters'][number], input: HTMLInputElement }[]} inputs
 * @param {HTMLTextAreaElement | undefined} body
 */
async function fillIds({ idSources }, key, inputs, body) {
  for (const [name, path] of Object.entries(idSources)) {
    const input = inputs.find(({ parameter }) => parameter.name === name)?.input
    if (input === undefined && body?.value.includes(`"${name}"`) !== true) continue
    const response = await fetch(path, { headers: { authorization: `Bearer ${key}` } })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.message)
    const id = answer.data[0]?.id
    if (id === undefined) throw new Error(`Your company has nothing at ${path} yet. Create one first.`)
    useOwnId(id)
    if (input !== undefined) input.value = id
    else if (body !== undefined)
      body.value = body.value.replaceAll(new RegExp(`("${name}": )"[^"]*"`, 'g'), `$1"${id}"`)
  }
  announce('The ids of your company are filled in, also in the code samples.')
}
