# SPDX-License-Identifier: BSD-3-Clause
# reference: pages of the public headers, by Doxygen. site: the documents, by MkDocs. Warnings are
# errors.

.PHONY: reference
reference: $(BUILD)/reference/html/index.html ## pages of the stack's public headers in build/reference/html/ (Doxygen)

$(BUILD)/reference/html/index.html: docs/reference.doxyfile mk/reference.mk $(shell find stack/include -name '*.h') | tools
	@mkdir -p $(BUILD)/reference
	@rm -f $@
	@echo 'reference'
	@doxygen docs/reference.doxyfile
	@! grep -vE 'Member .* \((variable|macro definition)\) of (struct|union|file) .* is not documented' $(BUILD)/reference/warnings.txt >&2 || { rm -f $@; exit 1; }

.PHONY: site
site: report ## the documents, a page for each command and the report as a site: build/site/index.html
	@$(PYTHON) -m scripts.build_site
