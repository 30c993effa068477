// The place in the corner where toasts appear.
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export default function Toasts() {
  return <Notifications position="bottom-right" />
}
