// How records of the audit log look in a table.
import type { AuditEntry } from '@cardstock/sdk'
import { CopyId } from '~/ui/copy.tsx'
import { FoldedJson } from '~/ui/json.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { describeAction } from '~/lib/action-words.ts'
import styles from './audit-columns.module.css'

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Action', role: 'name', show: ({ action }) => describeAction(action) },
  {
    title: 'By',
    show: ({ actor, actorId }) => (
      <span className={styles.actor}>
        {actor}
        {actorId === null ? null : <CopyId value={actorId} />}
      </span>
    ),
  },
  { title: 'At', show: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Details',
    show: ({ object, address, requestId, details }) => (
      <FoldedJson value={{ ...details, object, address, requestId }} label="Details" />
    ),
  },
]
