// Verifies a statement in the browser: the one on the page, or one that was saved as JSON.
import { Button, FileButton } from '@mantine/core'
import type { Statement } from '@cardstock/sdk'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { canHash } from '../../statements/hash.ts'
import { type Verdict, verifyStatement } from '../../statements/verify.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Facts, Panel } from '../../ui/page.tsx'
import styles from './account.module.css'

/** Several times the size of the largest statement. */
const FILE_BYTES_MAX = 32_000_000

interface Checked {
  /** What was checked, as the subject of a sentence. */
  readonly what: string
  /** Undefined when the file cannot be read. */
  readonly verdict: Verdict | undefined
}

export function Proof({ statement }: { statement: Statement }) {
  const [checked, setChecked] = useState<Checked>()
  const check = useAction(async (file: File | undefined) => {
    const document: unknown = file === undefined ? statement : await readJson(file)
    const verdict = document === undefined ? undefined : await verifyStatement(document)
    setChecked({ what: file === undefined ? 'This statement' : file.name, verdict })
  })
  return (
    <Panel title="Proof">
      <div className={styles.proof}>
        <p>
          Every entry is bound to the one before it by a hash. Your browser can check that nothing was added, changed or
          left out. It needs no trust in the server, because it computes everything again.
        </p>
        {canHash() ? (
          <div className={styles.buttons}>
            <Button variant="default" loading={check.isBusy} onClick={() => void check.run(undefined)}>
              Verify this statement
            </Button>
            <FileButton
              accept="application/json,.json"
              inputProps={{ 'aria-label': 'A statement saved as JSON', tabIndex: -1 }}
              onChange={(file) => {
                if (file !== null) void check.run(file)
              }}
            >
              {(props) => (
                <Button {...props} variant="subtle" color="gray">
                  Verify a saved file
                </Button>
              )}
            </FileButton>
          </div>
        ) : (
          <Notice tone="amber">
            <p>
              Browsers compute hashes only on pages with https and on localhost. Download the statement as JSON and
              check it with <code>cardstock verify</code>.
            </p>
          </Notice>
        )}
        <div role="status">{checked === undefined ? null : <Result {...checked} />}</div>
        <details className={styles.hashes}>
          <summary>The hashes of this statement</summary>
          <Hashes statement={statement} />
        </details>
      </div>
    </Panel>
  )
}

function Result({ what, verdict }: Checked) {
  if (verdict === undefined) {
    return (
      <Notice tone="red" title={`${what} cannot be checked`}>
        <p>It is not a statement in JSON. Download the statement as JSON and choose that file.</p>
      </Notice>
    )
  }
  const { entries, problems } = verdict
  if (problems.length === 0) {
    return (
      <Notice tone="green" title={`${what} is as the server wrote it`}>
        <p>
          {entries === 1 ? 'Its entry' : `Its ${entries.toLocaleString('en')} entries`}, all figures and the hash chain
          agree.
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="red" title={`${what} was altered`}>
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

function Hashes({ statement: { proof } }: { statement: Statement }) {
  const { firstNumber, lastNumber, hashBefore, hashAfter, digest } = proof
  return (
    <Facts
      facts={[
        ['Entries', lastNumber < firstNumber ? 'none' : `number ${firstNumber} to ${lastNumber}`],
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
