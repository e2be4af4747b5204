import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';

/** Sends through `SMTP_URL`. */
export const smtpTransport = (url: string): Transporter =>
  createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    socketCloseTimeout: 0,
    // An email contains only text; a reference to a file or URL is a mistake.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
