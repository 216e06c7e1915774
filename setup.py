"""The build step that pyproject.toml cannot express: a wheel contains two trained models from pretrained/."""

import json
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MODELS = ("bahdanau", "luong-general-local-p")  # one of each paper
FILES = ("README.md", "config.json", "model.safetensors", "source.json", "target.json")


class BuildWithModels(build_py):
    """Copies the models into attn_core/pretrained, where attn_core/models/folders.py looks first.

    An editable install needs no copy: it finds pretrained/ beside attn_core.
    """

    def models(self) -> dict[str, str]:
        """Target and source of each file."""
        inside = Path(self.build_lib, "attn_core", "pretrained")
        names = [Path(model, file) for model in MODELS for file in FILES]
        for name in [one for one in names if one.name in ("source.json", "target.json")]:
            record = json.loads(Path("pretrained", name).read_bytes())
            parts = (record["tokenizer"], record.get("truecase"))
            shared = [Path(part) for part in parts if isinstance(part, str) and "/" in part]  # with other models
            names += [path.relative_to("..") for path in shared]
        names = list(dict.fromkeys(names))
        return {str(inside / name): str(Path("pretrained", name)) for name in names}

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for target, source in self.models().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, *self.models()]

    def get_source_files(self) -> list[str]:
        return [*super().get_source_files(), *self.models().values()]  # for the source archive


setup(cmdclass={"build_py": BuildWithModels})
