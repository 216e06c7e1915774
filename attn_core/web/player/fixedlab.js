// Self-attention against a fully connected layer, as a Streamlit component.

import { createFixed } from "./fixed.js";
import { mounted } from "./mount.js";

export default mounted(createFixed);
