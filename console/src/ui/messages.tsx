// The place in the corner where short messages appear.
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export default function Messages() {
  return <Notifications position="bottom-right" />
}
