import { AppleFilled, GoogleOutlined, MailOutlined, WalletOutlined } from '@ant-design/icons';

export const methodIcons = {
  email: <MailOutlined aria-hidden />,
  wallet: <WalletOutlined aria-hidden />,
  google: <GoogleOutlined aria-hidden />,
  apple: <AppleFilled aria-hidden />,
};
