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
    <section className="settings-section" aria-labelledby={id}>
      <div className="settings-section-head">
        <h2 id={id}>{title}</h2>
        {help && <p className="settings-section-help">{help}</p>}
      </div>
      {children}
    </section>
  );
}
