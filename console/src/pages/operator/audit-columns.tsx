// How records of the audit log look in a table.
import type { AuditEntry } from '@cardstock/sdk'
import { CopyId } from '~/ui/copy.tsx'
import { FoldedJson } from '~/ui/json.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { describeAction } from '~/lib/action-words.ts'
import styles from './audit-columns.module.css'

/** Who did it, if they had no name. */
const KINDS: Readonly<Record<string, string | undefined>> = {
  operator_token: 'Operator token',
  program: 'The server',
  issuer: 'The issuer',
}

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Action', role: 'name', show: ({ action }) => describeAction(action) },
  {
    title: 'By',
    show: ({ actor, actorKind, actorName, actorId }) => (
      <span className={styles.actor}>
        <span>{actorName ?? KINDS[actorKind ?? ''] ?? actor}</span>
        {actorId === null ? null : <CopyId value={actorId} />}
      </span>
    ),
  },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Details',
    show: ({ actor, object, address, requestId, details }) => (
      <FoldedJson value={{ ...details, by: actor, object, address, requestId }} label="Details" />
    ),
  },
]
