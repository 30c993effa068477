// What a record of the audit log is about: what it is called, with its id to copy; the id alone where it has no name.
import { CopyButton, CopyId } from './copy.tsx'
import styles from './audit-object.module.css'

export function AuditObject({ object, objectName }: { object: string | null; objectName?: string }) {
  if (object === null) return '–'
  return (
    <span className={styles.object}>
      {objectName === undefined ? (
        <CopyId value={object} />
      ) : (
        <span className={styles.named}>
          <span title={object}>{objectName}</span>
          <CopyButton value={object} label="Copy id" />
        </span>
      )}
    </span>
  )
}
