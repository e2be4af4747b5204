import { QuestionCircleFilled } from '@ant-design/icons';
import { Alert, Button, Flex, Typography } from 'antd';
import { formatDay } from '../../ui/time.text';
import styles from './passport.module.css';

interface DeletedAccountProps {
  deletesAt: string;
  /** Why the last attempt to keep the account failed. */
  failure: string | null;
  onKeep: () => void;
  onLeave: () => void;
}

/** Asks the owner of a deleted account, who has just signed in to it, whether to keep it. */
export function DeletedAccount({ deletesAt, failure, onKeep, onLeave }: DeletedAccountProps) {
  return (
    <>
      <Typography.Text type="warning" className={styles.callbackIcon}>
        <QuestionCircleFilled aria-hidden />
      </Typography.Text>
      <h1>Keep your account?</h1>
      <div id="deleted-account" className={`stack ${styles.callbackQuestion}`}>
        <p>This account is deleted. Its data is removed on {formatDay(deletesAt)}.</p>
        <p>If you keep it, your API keys and projects work again.</p>
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      </div>
      <Flex wrap gap={12} justify="center">
        <Button size="large" aria-describedby="deleted-account" onClick={onLeave}>
          Leave it deleted
        </Button>
        <Button size="large" type="primary" onClick={onKeep}>
          Keep my account
        </Button>
      </Flex>
    </>
  );
}
