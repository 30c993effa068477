// Says that the server does not answer. It disappears when one of the queries, which keep trying, gets an answer.
import { isConnectionLost } from '~/api/connection.ts'
import { useStore } from '~/lib/store.ts'
import styles from './frame.module.css'

export function Offline() {
  const isLost = useStore(isConnectionLost)
  return <div role="status">{isLost ? <p className={styles.offline}>Connection lost. Trying again…</p> : null}</div>
}
