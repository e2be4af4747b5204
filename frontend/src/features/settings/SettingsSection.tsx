import { Flex, Typography } from 'antd';
import { useId, type ReactNode } from 'react';

interface SettingsSectionProps {
  title: string;
  help?: ReactNode;
  children: ReactNode;
}

/** A section of the settings: its heading, a line of help, then its cards. */
export function SettingsSection({ title, help, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <Flex component="section" vertical gap={16} aria-labelledby={id}>
      <Flex vertical gap={4}>
        <h2 id={id}>{title}</h2>
        {help && <Typography.Text type="secondary">{help}</Typography.Text>}
      </Flex>
      {children}
    </Flex>
  );
}
