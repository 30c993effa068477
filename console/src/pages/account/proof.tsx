// Verifies a statement in the browser: the one on the page, or one that was saved as JSON. A saved one is also compared with what the
// server has, because anybody can write a file that is consistent in itself.
import { Button, FileButton } from '@mantine/core'
import type { Statement } from '@cardstock/sdk'
import {
  compareStatements,
  type StatementComparison,
  type StatementVerdict,
  verifyStatement,
} from '@cardstock/sdk/statements'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { describeError, isSignedOut } from '~/api/errors.ts'
import type { Me } from '~/api/me.ts'
import { useAction } from '~/api/use-action.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import styles from './account.module.css'

/** Several times the size of the largest statement. */
const FILE_BYTES_MAX = 32_000_000

interface Checked {
  /** What was checked, as the subject of a sentence. */
  readonly what: string
  /** Undefined when the file cannot be read. */
  readonly verdict: StatementVerdict | undefined
  /** Undefined when the statement is the server's own, or not consistent in itself. */
  readonly compared?: Compared
}

/** What the server has for the same days, or why that is not known. */
type Compared = StatementComparison | { readonly unknownBecause: string }

export function Proof({ statement }: { statement: Statement }) {
  const { me } = useWorkplace()
  const [checked, setChecked] = useState<Checked>()
  const check = useAction(async (file: File | undefined) => {
    if (file === undefined) {
      setChecked({ what: 'This statement', verdict: verifyStatement(statement) })
      return
    }
    const document = await readJson(file)
    const verdict = document === undefined ? undefined : verifyStatement(document)
    const isConsistent = verdict?.problems.length === 0
    const compared = isConsistent ? { compared: await compare(me, document as Statement) } : {}
    setChecked({ what: file.name, verdict, ...compared })
  })
  return (
    <Panel title="Proof">
      <div className={styles.proof}>
        <p>
          The entries form a chain of hashes, so a changed entry no longer matches. Your browser recomputes every hash.
          Because anyone can compute matching hashes, a saved file is also compared with this server’s records for the
          same days.
        </p>
        <div className={styles.buttons}>
          <Button variant="default" loading={check.isBusy} onClick={() => void check.run(undefined)}>
            Verify this statement
          </Button>
          <FileButton
            accept="application/json,.json"
            inputProps={{ 'aria-label': 'Statement saved as JSON', tabIndex: -1 }}
            onChange={(file) => {
              if (file !== null) void check.run(file)
            }}
          >
            {(props) => (
              <Button {...props} variant="subtle" color="gray">
                Verify saved file
              </Button>
            )}
          </FileButton>
        </div>
        <div role="status">{checked === undefined ? null : <Result {...checked} />}</div>
        <details className={styles.hashes}>
          <summary>Hashes of this statement</summary>
          <Hashes statement={statement} />
        </details>
      </div>
    </Panel>
  )
}

function Result({ what, verdict, compared }: Checked) {
  if (verdict === undefined) {
    return (
      <Notice tone="red" title={`${what} cannot be checked`}>
        <p>The file is not a statement in JSON. Download the statement as JSON and choose that file.</p>
      </Notice>
    )
  }
  if (verdict.problems.length > 0) return <Problems title={`${what} was changed`} problems={verdict.problems} />
  const agree = `${verdict.entries === 1 ? 'Its entry' : `Its ${verdict.entries.toLocaleString('en')} entries`}, all amounts and the hash chain agree.`
  if (compared === undefined) {
    return (
      <Notice tone="green" title={`${what} is consistent`}>
        <p>{agree} It comes from this server.</p>
      </Notice>
    )
  }
  if ('unknownBecause' in compared) {
    return (
      <Notice tone="amber" title={`${what} is consistent, but was not compared with the server`}>
        <p>
          {agree} This does not prove where the file comes from. {compared.unknownBecause}
        </p>
      </Notice>
    )
  }
  const { differences, laterEntries } = compared
  if (differences.length > 0)
    return <Problems title={`${what} does not match this server’s records`} problems={differences} />
  return (
    <Notice tone="green" title={`${what} matches this server’s records`}>
      <p>
        {agree} {laterEntries === 0 ? null : 'More entries were recorded for these days after the file was created.'}
      </p>
    </Notice>
  )
}

function Problems({ title, problems }: { title: string; problems: StatementVerdict['problems'] }) {
  return (
    <Notice tone="red" title={title}>
      <ul className={styles.problems}>
        {problems.map(({ where, problem }) => (
          <li key={`${where} ${problem}`}>
            <code>{where}</code>: {problem}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The file names its account. Only people who may read that account can compare it. */
async function compare(me: Me, saved: Statement): Promise<Compared> {
  const { company, environment } = saved
  const mine = me.companies.find(({ id }) => id === company.id)
  if (mine?.permissions[environment].includes('balance:read') !== true) {
    return {
      unknownBecause: `It is for ${company.name} (${company.id}) in ${environment}, which your role cannot read.`,
    }
  }
  try {
    return compareStatements(saved, await api.company(company.id, environment).statements.get(saved))
  } catch (error) {
    // The person signs in over the page, as for every other call.
    if (isSignedOut(error)) throw error
    return { unknownBecause: `The server could not compare it: ${describeError(error).message}` }
  }
}

function Hashes({ statement: { proof } }: { statement: Statement }) {
  const { firstNumber, lastNumber, hashBefore, hashAfter, digest } = proof
  return (
    <Facts
      facts={[
        ['Entries', lastNumber < firstNumber ? '–' : `${firstNumber} to ${lastNumber}`],
        ['Chain before', <CopyId key="before" value={hashBefore} />],
        ['Chain after', <CopyId key="after" value={hashAfter} />],
        ['Digest', <CopyId key="digest" value={digest} />],
      ]}
    />
  )
}

/** Undefined when it is not JSON, or too large to be a statement. */
async function readJson(file: File): Promise<unknown> {
  if (file.size > FILE_BYTES_MAX) return undefined
  try {
    return JSON.parse(await file.text())
  } catch {
    return undefined
  }
}
