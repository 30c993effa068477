// Tells that the server does not answer. It disappears by itself, because the queries keep trying.
import { isConnectionLost } from '~/api/connection.ts'
import { useStore } from '~/lib/store.ts'
import styles from './frame.module.css'

export function Offline() {
  const isLost = useStore(isConnectionLost)
  return (
    <div role="status">
      {isLost ? <p className={styles.offline}>The connection to the server is lost. Trying again …</p> : null}
    </div>
  )
}
